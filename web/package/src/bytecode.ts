// The likely value of a byte of a module depends on its kind: what it encodes. Source: WebAssembly core specification
// 2.0, section 5 (binary format).

export const instruction = 0;
const local = 1;
const frame = 2; // all sections except code, and the bytes around functions
const integer = 3;
const callee = 4;
const label = 5;
const block = 6;
const alignment = 7;
const offset = 8;
const wide = 9;
const float = 10;
const vector = 11;
const locals = 12;
export const length = 13;
const rest = 14;

export const kindCount = 15;

const codeSection = 10;

/** [opcode] The kinds of the numbers that follow an instruction. */
const operands: (readonly number[] | undefined)[] = [];
for (let access = 0x28; access <= 0x3e; ++access) {
  operands[access] = [alignment, offset];
}
operands[0x02] = operands[0x03] = operands[0x04] = [block];
operands[0x0c] = operands[0x0d] = [label];
operands[0x10] = [callee];
operands[0x11] = [rest, rest]; // call_indirect
operands[0x20] = operands[0x21] = operands[0x22] = [local];
operands[0x23] = operands[0x24] = [rest]; // global
operands[0x41] = [integer];
operands[0x42] = [wide];

/**
 * Parses a module of `size` bytes: calls `byte` with the kind of each byte, and `byte` returns its value.
 *
 * So the same code reads a module (for packing) and decodes one (while unpacking). An unknown opcode counts as an
 * instruction without operands, which costs compression but never correctness.
 */
export function walk(size: number, byte: (kind: number) => number): void {
  let at = 0;
  const next = (kind: number) => {
    ++at;
    return byte(kind);
  };
  const number = (kind: number) => {
    let sum = 0;
    for (let shift = 0; ; shift += 7) {
      const part = next(kind);
      sum |= (part & 127) << shift;
      if (part < 128) {
        return sum;
      }
    }
  };
  const several = (kind: number, count: number) => {
    for (let i = 0; i < count; ++i) {
      next(kind);
    }
  };
  const vectorOperands = (code: number) => {
    if (code <= 11 || (code >= 84 && code <= 93)) {
      number(alignment); // loads and stores
      number(offset);
    }
    if (code === 12 || code === 13) {
      several(vector, 16); // a constant, a shuffle
    }
    if ((code >= 21 && code <= 34) || (code >= 84 && code <= 91)) {
      next(rest); // which lane
    }
  };
  const body = () => {
    const end = number(length) + at;
    for (let groups = number(locals); groups > 0; --groups) {
      number(locals);
      next(locals);
    }
    while (at < end) {
      const code = next(instruction);
      const kinds = operands[code];
      if (kinds !== undefined) {
        for (let i = 0; i < kinds.length; ++i) {
          number(kinds[i]!);
        }
      } else if (code === 0x43) {
        several(float, 4); // f32.const
      } else if (code === 0x44) {
        several(float, 8); // f64.const
      } else if (code === 0x0e) {
        for (let labels = number(rest); labels >= 0; --labels) {
          number(rest); // br_table
        }
      } else if (code === 0xfc) {
        number(instruction); // conversions, memory in bulk
      } else if (code === 0xfd) {
        vectorOperands(number(instruction));
      }
    }
  };
  several(frame, 8);
  while (at < size) {
    const section = next(frame);
    const bytes = number(frame);
    if (section === codeSection) {
      for (let bodies = number(frame); bodies > 0; --bodies) {
        body();
      }
    } else {
      several(frame, bytes);
    }
  }
}
