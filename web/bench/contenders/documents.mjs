// The techniques of the documents as described there, with the cell sizes that they recommend, and with errors fixed
// that would cost time or lose pairs: 000 the grid of strings, 002 all pairs and the grid of arrays, 003 the hash of
// sets, 004 the grid over the window.
import { contenderOn, Sink } from '../sink.mjs';
import { overlap } from '../boxes.mjs';

function bodiesOf({ n, statics }) {
  return Array.from({ length: n }, (_, id) => ({
    id,
    fixed: id < statics,
    position: { x: 0, y: 0 },
    width: 0,
    height: 0,
    aabb: { min: [0, 0], max: [0, 0] },
  }));
}

function write(bodies, boxes) {
  for (const { id, position, aabb } of bodies) {
    const at = 4 * id;
    position.x = boxes[at];
    position.y = boxes[at + 1];
    bodies[id].width = boxes[at + 2] - boxes[at];
    bodies[id].height = boxes[at + 3] - boxes[at + 1];
    aabb.min[0] = boxes[at];
    aabb.min[1] = boxes[at + 1];
    aabb.max[0] = boxes[at + 2];
    aabb.max[1] = boxes[at + 3];
  }
}

function touch({ aabb: a }, { aabb: b }) {
  return a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] && b.min[1] <= a.max[1];
}

function technique(workload, find) {
  const bodies = bodiesOf(workload);
  const sink = new Sink();
  const report = (a, b) => {
    if (!(a.fixed && b.fixed)) {
      sink.add(a.id, b.id);
    }
  };
  return {
    write: (boxes) => write(bodies, boxes),
    find: () => {
      sink.clear();
      find(bodies, report);
    },
    pairs: () => sink.found(),
  };
}

/** 000: an object whose keys are strings, one per cell; two more strings per pair mark it as found. */
export function cellsByName(workload) {
  const size = 2.5 * workload.meanSide; // "roughly two or three times the size of the player character"
  return technique(workload, (bodies, report) => {
    const cells = {};
    for (const body of bodies) {
      const { position, width, height } = body;
      const lastX = Math.floor((position.x + width) / size);
      const lastY = Math.floor((position.y + height) / size);
      for (let x = Math.floor(position.x / size); x <= lastX; ++x) {
        for (let y = Math.floor(position.y / size); y <= lastY; ++y) {
          const name = `${x * size}|${y * size}`;
          (cells[name] ??= []).push(body);
        }
      }
    }
    const found = {};
    for (const cell of Object.values(cells)) {
      for (let i = 0; i < cell.length; ++i) {
        for (let j = i + 1; j < cell.length; ++j) {
          if (!found[`${cell[i].id}|${cell[j].id}`] && touch(cell[i], cell[j])) {
            found[`${cell[i].id}|${cell[j].id}`] = found[`${cell[j].id}|${cell[i].id}`] = true;
            report(cell[i], cell[j]);
          }
        }
      }
    }
  });
}

/** 002, first half: brute force. */
export function eachAgainstEach(workload) {
  return technique(workload, (bodies, report) => {
    for (let i = 0; i < bodies.length; ++i) {
      for (let j = i + 1; j < bodies.length; ++j) {
        if (touch(bodies[i], bodies[j])) {
          report(bodies[i], bodies[j]);
        }
      }
    }
  });
}

/** 002, second half: columns of cells of bodies, rebuilt in each frame; two strings per pair mark it as tested. */
export function arraysOfArrays(workload) {
  const size = Math.SQRT2 * workload.meanSide; // its 10 sqrt(2) for boxes of 10
  return technique(workload, (bodies, report) => {
    const grid = new Array(Math.floor(workload.width / size) + 1);
    for (const body of bodies) {
      const lastX = Math.floor(body.aabb.max[0] / size);
      const lastY = Math.floor(body.aabb.max[1] / size);
      for (let x = Math.floor(body.aabb.min[0] / size); x <= lastX; ++x) {
        const column = (grid[x] ??= []);
        for (let y = Math.floor(body.aabb.min[1] / size); y <= lastY; ++y) {
          (column[y] ??= []).push(body);
        }
      }
    }
    const tested = {};
    for (const column of grid) {
      for (const cell of column ?? []) {
        for (let i = 0; cell !== undefined && i < cell.length; ++i) {
          for (let j = i + 1; j < cell.length; ++j) {
            const [name, turned] = [`${cell[i].id}:${cell[j].id}`, `${cell[j].id}:${cell[i].id}`];
            if (!tested[name] && !tested[turned]) {
              tested[name] = tested[turned] = true;
              if (touch(cell[i], cell[j])) {
                report(cell[i], cell[j]);
              }
            }
          }
        }
      }
    }
  });
}

/** 003: a set of bodies per cell, wrapping at the edges of the world; moving bodies are inserted in each frame. */
export function hashOfSets(workload) {
  const { statics, width, height, boxes } = workload;
  const size = statics > 0 ? 6 : 2 * workload.meanSide; // its 6 for its table
  const columns = Math.ceil(width / size) + 1;
  const cells = Array.from({ length: columns * (Math.ceil(height / size) + 1) }, () => new Set());
  const cellsOf = ({ aabb: { min, max } }) => {
    const covered = [];
    for (let x = Math.floor(min[0] / size); x <= Math.floor(max[0] / size); ++x) {
      for (let y = Math.floor(min[1] / size); y <= Math.floor(max[1] / size); ++y) {
        const cell = (x + y * columns) % cells.length;
        covered.push(cell < 0 ? cell + cells.length : cell);
      }
    }
    return covered;
  };
  const put = (body) => cellsOf(body).forEach((cell) => cells[cell].add(body));
  const take = (body) => cellsOf(body).forEach((cell) => cells[cell].delete(body));
  const query = (body) => {
    const met = new Set();
    for (const cell of cellsOf(body)) {
      for (const other of cells[cell]) {
        if (touch(body, other)) {
          met.add(other);
        }
      }
    }
    return [...met];
  };
  let moving;
  const made = technique(workload, (bodies, report) => {
    moving ??= bodies.slice(statics);
    moving.forEach(put);
    for (const body of moving) {
      take(body);
      for (const other of query(body)) {
        report(body, other);
      }
    }
  });
  const fixed = bodiesOf(workload).slice(0, statics);
  write(fixed, boxes);
  fixed.forEach(put);
  return made;
}

/** 004: 70 columns of 120 cells over the window, rebuilt in each frame; a pair is found in each cell it shares. */
export function gridOverWindow({ width, height, n, statics, boxes }) {
  const cell = (position, whole, cells) => Math.max(0, Math.min(cells - 1, Math.floor((position / whole) * cells)));
  return contenderOn(boxes, (corners, sink) => {
    const grid = [];
    for (let x = 0; x < 70; ++x) {
      grid.push(Array.from({ length: 120 }, () => []));
    }
    for (let i = 0; i < n; ++i) {
      const at = 4 * i;
      const lastX = cell(corners[at + 2], width, 70);
      const lastY = cell(corners[at + 3], height, 120);
      for (let x = cell(corners[at], width, 70); x <= lastX; ++x) {
        for (let y = cell(corners[at + 1], height, 120); y <= lastY; ++y) {
          grid[x][y].push(i);
        }
      }
    }
    for (const column of grid) {
      for (const bodies of column) {
        for (let i = 0; i < bodies.length; ++i) {
          for (let j = i + 1; j < bodies.length; ++j) {
            if (overlap(corners, bodies[i], bodies[j]) && bodies[j] >= statics) {
              sink.add(bodies[i], bodies[j]);
            }
          }
        }
      }
    }
  });
}
