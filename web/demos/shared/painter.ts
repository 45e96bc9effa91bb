import { rgb, type Rgb } from './colours';
import type { View } from './view';

/** Many circles of one picture, drawn in one call. */
export interface Circles {
  readonly length: number;
  /** [length][2] */
  readonly positions: Float32Array;
  /** [length] */
  readonly radii: Float32Array;
  /** [length]: 0 is `colour`, 255 is `lit` */
  readonly glow: Uint8Array;
  readonly colour: string;
  readonly lit: string;
}

const vertexSource = `#version 300 es
uniform vec2 u_canvas;
uniform vec3 u_view;
uniform vec3 u_colour, u_lit;
in vec2 a_position;
in float a_radius;
in float a_glow;
out vec3 v_colour;
flat out float v_pixels;
void main() {
  // Nothing gets smaller than a pixel: a million circles would flicker.
  v_pixels = max(a_radius * u_view.z, 0.7);
  vec2 pixel = a_position * u_view.z + u_view.xy;
  gl_Position = vec4((pixel / u_canvas * 2.0 - 1.0) * vec2(1, -1), 0, 1);
  gl_PointSize = 2.0 * (v_pixels + 1.0); // one more pixel, for a smooth edge
  // Neighbours differ a little, so that a crowd is not one grey.
  float shade = 0.82 + 0.36 * fract(float(gl_VertexID) * 0.618034);
  v_colour = mix(u_colour * shade, u_lit, a_glow);
}`;

const fragmentSource = `#version 300 es
precision highp float;
in vec3 v_colour;
flat in float v_pixels;
out vec4 colour;
void main() {
  float away = length(gl_PointCoord * 2.0 - 1.0) * (v_pixels + 1.0);
  float cover = clamp(v_pixels - away + 0.5, 0.0, 1.0);
  colour = vec4(v_colour, 1) * cover;
}`;

/**
 * Draws circles by WebGL2, all of them in one call, as points: one vertex each. This is faster than instances of a
 * square, and much faster without a graphics card.
 */
export class Painter {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #buffers: readonly [position: WebGLBuffer, radius: WebGLBuffer, glow: WebGLBuffer];

  constructor(readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
    if (gl === null) {
      throw new Error('this browser does not support WebGL2');
    }
    this.#gl = gl;
    this.#program = this.#link();
    this.#buffers = [this.#attribute('a_position', 2), this.#attribute('a_radius', 1), this.#attribute('a_glow', 1)];
    gl.useProgram(this.#program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  clear(colour: string): void {
    const gl = this.#gl;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...rgb(colour), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  circles(circles: Circles, view: View): void {
    const gl = this.#gl;
    const [position, radius, glow] = this.#buffers;
    this.#fill(position, circles.positions.subarray(0, 2 * circles.length));
    this.#fill(radius, circles.radii.subarray(0, circles.length));
    this.#fill(glow, circles.glow.subarray(0, circles.length));
    gl.uniform2f(this.#place('u_canvas'), this.canvas.width, this.canvas.height);
    gl.uniform3f(this.#place('u_view'), view.x, view.y, view.scale);
    this.#colour('u_colour', rgb(circles.colour));
    this.#colour('u_lit', rgb(circles.lit));
    gl.drawArrays(gl.POINTS, 0, circles.length);
  }

  #fill(buffer: WebGLBuffer, data: Float32Array | Uint8Array): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data as Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>, gl.STREAM_DRAW);
  }

  #place(name: string): WebGLUniformLocation | null {
    return this.#gl.getUniformLocation(this.#program, name);
  }

  #colour(name: string, [red, green, blue]: Rgb): void {
    this.#gl.uniform3f(this.#place(name), red, green, blue);
  }

  #attribute(name: string, size: number): WebGLBuffer {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    const at = gl.getAttribLocation(this.#program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    const bytes = name === 'a_glow';
    gl.vertexAttribPointer(at, size, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, bytes, 0, 0);
    return buffer;
  }

  #link(): WebGLProgram {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertexSource],
      [gl.FRAGMENT_SHADER, fragmentSource],
    ] as const) {
      const shader = gl.createShader(type);
      if (shader === null) {
        throw new Error('the WebGL context is lost');
      }
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      throw new Error(`the shaders do not link: ${gl.getProgramInfoLog(program)}`);
    }
    return program;
  }
}
