import { instruction, kindCount, length, walk } from './bytecode.js';

// Context mixing: each bit of a module is predicted from the bits before it. Five models remember which bits followed
// the same context; the better a model has predicted, the more weight it gets. Bytes are written in Huffman codes,
// which halves the number of bits to predict.
// Sources: M. Mahoney, Adaptive weighing of context models for lossless data compression, 2005; D. A. Huffman, A method
// for the construction of minimum-redundancy codes, 1952.
//
// Every browser must predict the same bits. So this code uses no function whose result may differ, such as `Math.exp`.

// In Jest, and wherever else code runs in a context of its own, a look-up of a global object takes 100 times as long.
export const { imul, max, min } = Math;

const models = 5;

// A slot is the probability that a bit is 1 (12 bits, the first one inverted, so that 0 means unknown), and a counter
// of its updates (4 bits). A line predicts the next four bits after a context: its first slot identifies the context,
// the others are a binary tree, laid out as in a heap.
const lineBits = 19;
const slotsOfLine = 16;
const maxTimes = 15;
const turned = 0x800;

// The predictions are combined as logits: from -12 to 12, in so many steps.
const logits = 4096;
const leastOdds = 6.14421235332821e-6; // e^-12
const stepOfOdds = 1.0058765747144782; // e^(24 / 4096)
const firstWeight = 13107; // 16 bits of fraction

/** Returns the probability (16 bits) of each logit. */
function probabilities(): Int32Array {
  let odds = leastOdds;
  return Int32Array.from({ length: logits }, () => {
    const probability = (65536 * odds) / (1 + odds);
    odds *= stepOfOdds;
    return min(max(probability, 1), 65535);
  });
}

/** Returns the logit of each probability that a slot can hold; 0 is in the middle. */
function logitsOf(probabilityOf: Int32Array): Int16Array {
  const found = new Int16Array(4096);
  let logit = 0;
  for (let probability = 0; probability < 4096; ++probability) {
    while (logit + 1 < logits && probabilityOf[logit]! < 16 * probability + 8) {
      ++logit;
    }
    found[probability ^ turned] = logit - logits / 2;
  }
  return found;
}

/** Returns the next value of each slot after a 0, and after a 1. */
function slotsAfter(): Uint16Array {
  const after = new Uint16Array(2 * 65536);
  for (let i = 0; i < after.length; ++i) {
    const probability = ((i >> 5) ^ turned) + 0.5;
    const times = (i >> 1) & 15;
    const learned = probability + ((i & 1) * 4096 - probability) / (times + 1.15);
    after[i] = ((learned ^ turned) << 4) | min(times + 1, maxTimes);
  }
  return after;
}

/**
 * Builds the tree of a Huffman code from the code lengths of all bytes (digits in base 36; 0 for none).
 *
 * The children of node n are at 2 n and 2 n + 1, and the root is 1; an entry of 256 or more is a leaf, 256 + the byte.
 */
export function treeOf(lengths: string): Uint16Array {
  const tree = new Uint16Array(512);
  const sizes = Array.from(lengths, (digit) => parseInt(digit, 36));
  const bytes = [...sizes.keys()].filter((byte) => sizes[byte] !== 0).sort((a, b) => sizes[a]! - sizes[b]! || a - b);
  let leaves = 0;
  let nodes = 0;
  const grow = (depth: number): number => {
    if (sizes[bytes[leaves]!] === depth) {
      return 256 + bytes[leaves++]!;
    }
    const node = ++nodes;
    tree[2 * node] = grow(depth + 1);
    tree[2 * node + 1] = grow(depth + 1);
    return node;
  };
  if (bytes.length > 0) {
    grow(0);
  }
  return tree;
}

function hash(h: number, more: number): number {
  const product = imul(h ^ more, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/**
 * Decodes a module of `size` bytes: `bit` gets the probability of a 1 (16 bits), and returns the bit.
 *
 * @param lengths the code lengths of the bytes of each kind, as for `treeOf`
 */
export function tell(
  size: number,
  lengths: readonly string[],
  bit: (probability: number) => number,
): Uint8Array<ArrayBuffer> {
  const module = new Uint8Array(size);
  const trees = lengths.map(treeOf);
  const probabilityOf = probabilities();
  const logitOf = logitsOf(probabilityOf);
  const after = slotsAfter();
  const slots = new Uint16Array(slotsOfLine << lineBits);
  const quarters = new Float64Array(slots.buffer); // quarters of lines, to clear a line faster
  // The weights of the models, by node of the Huffman tree, and by the number of models with a prediction.
  const byPlace = new Int32Array(kindCount * 256 * models).fill(firstWeight);
  const byKnown = new Int32Array(kindCount * (models + 1) * models).fill(firstWeight);
  const latestOf = new Uint16Array(kindCount); // the last two bytes of each kind
  let bytes = 0; // the last four bytes
  let instructions = 0; // the last four opcodes
  let instructionsBefore = 0; // the four opcodes before these
  let functions = 0;
  let kindBefore = 0;
  let at = 0;

  const lineOf = (context: number, place: number) => {
    const name = hash(context, place);
    const line = (name >>> (32 - lineBits)) * slotsOfLine;
    if (slots[line] !== (name & 0xffff)) {
      const quarter = line / 4;
      quarters[quarter] = quarters[quarter + 1] = quarters[quarter + 2] = quarters[quarter + 3] = 0;
      slots[line] = name;
    }
    return line;
  };

  walk(size, (kind) => {
    functions += kind === length && kindBefore !== length ? 1 : 0;
    const seed = hash(kind, 1);
    const context0 = hash(hash(seed, instructions), latestOf[kind]!);
    const context1 = hash(hash(seed + 1, instructions), instructionsBefore & 0xffffff);
    const context2 = hash(hash(seed + 2, instructions & 0xffff), latestOf[kind]! & 255);
    const context3 = hash(seed + 3, functions);
    const context4 = hash(seed + 4, bytes & 0xffff);
    const tree = trees[kind]!;
    // Unrolled by model: this runs two million times, in two thirds of the time that loops would take.
    let line0 = 0;
    let line1 = 0;
    let line2 = 0;
    let line3 = 0;
    let line4 = 0;
    let node = slotsOfLine; // index within a line; at the end of it, the next lines are looked up
    let place = 1;
    while (place < 256) {
      if (node >= slotsOfLine) {
        node = 1;
        line0 = lineOf(context0, place);
        line1 = lineOf(context1, place);
        line2 = lineOf(context2, place);
        line3 = lineOf(context3, place);
        line4 = lineOf(context4, place);
      }
      const slot0 = slots[line0 + node]!;
      const slot1 = slots[line1 + node]!;
      const slot2 = slots[line2 + node]!;
      const slot3 = slots[line3 + node]!;
      const slot4 = slots[line4 + node]!;
      const known =
        (slot0 & maxTimes ? 1 : 0) +
        (slot1 & maxTimes ? 1 : 0) +
        (slot2 & maxTimes ? 1 : 0) +
        (slot3 & maxTimes ? 1 : 0) +
        (slot4 & maxTimes ? 1 : 0);
      const logit0 = logitOf[slot0 >> 4]!;
      const logit1 = logitOf[slot1 >> 4]!;
      const logit2 = logitOf[slot2 >> 4]!;
      const logit3 = logitOf[slot3 >> 4]!;
      const logit4 = logitOf[slot4 >> 4]!;
      const p = (kind * 256 + place) * models;
      const k = (kind * (models + 1) + known) * models;
      const sum =
        imul(byPlace[p]! + byKnown[k]!, logit0) +
        imul(byPlace[p + 1]! + byKnown[k + 1]!, logit1) +
        imul(byPlace[p + 2]! + byKnown[k + 2]!, logit2) +
        imul(byPlace[p + 3]! + byKnown[k + 3]!, logit3) +
        imul(byPlace[p + 4]! + byKnown[k + 4]!, logit4);
      const logit = min(max((sum >> 17) + logits / 2, 0), logits - 1);
      const probability = probabilityOf[logit]!;
      const decoded = bit(probability);
      const error = (decoded << 16) - probability;
      const more0 = (imul(error, logit0) + 8192) >> 14;
      const more1 = (imul(error, logit1) + 8192) >> 14;
      const more2 = (imul(error, logit2) + 8192) >> 14;
      const more3 = (imul(error, logit3) + 8192) >> 14;
      const more4 = (imul(error, logit4) + 8192) >> 14;
      byPlace[p]! += more0;
      byKnown[k]! += more0;
      byPlace[p + 1]! += more1;
      byKnown[k + 1]! += more1;
      byPlace[p + 2]! += more2;
      byKnown[k + 2]! += more2;
      byPlace[p + 3]! += more3;
      byKnown[k + 3]! += more3;
      byPlace[p + 4]! += more4;
      byKnown[k + 4]! += more4;
      slots[line0 + node] = after[2 * slot0 + decoded]!;
      slots[line1 + node] = after[2 * slot1 + decoded]!;
      slots[line2 + node] = after[2 * slot2 + decoded]!;
      slots[line3 + node] = after[2 * slot3 + decoded]!;
      slots[line4 + node] = after[2 * slot4 + decoded]!;
      node = 2 * node + decoded;
      place = tree[2 * place + decoded]!;
    }
    const byte = place - 256;
    module[at++] = byte;
    bytes = (bytes << 8) | byte;
    if (kind === instruction) {
      instructionsBefore = (instructionsBefore << 8) | (instructions >>> 24);
      instructions = (instructions << 8) | byte;
    }
    latestOf[kind] = (latestOf[kind]! << 8) | byte;
    kindBefore = kind;
    return byte;
  });
  return module;
}
