// Packs a module as src/variants.ts unpacks it.

/** Returns the lengths of the codes of all bytes, of which each is there so many times (D. A. Huffman, 1952). */
function codeLengths(counts) {
  const lengths = counts.map(() => 0);
  let trees = [...counts.keys()].filter((byte) => counts[byte] > 0).map((byte) => ({ count: counts[byte], bytes: [byte] }));
  if (trees.length === 1) {
    trees.push({ count: 0, bytes: [(trees[0].bytes[0] + 1) % 256] }); // a code is a bit, at least
  }
  while (trees.length > 1) {
    trees.sort((a, b) => a.count - b.count);
    const [a, b, ...others] = trees;
    const both = { count: a.count + b.count, bytes: [...a.bytes, ...b.bytes] };
    for (const byte of both.bytes) {
      ++lengths[byte];
    }
    trees = [...others, both];
  }
  return lengths;
}

/** Returns the bits of each byte's code, by the tree of all. */
function codesOf(tree, node = 1, bits = [], codes = []) {
  if (node >= 256) {
    codes[node - 256] = bits;
  } else if (node > 0) {
    codesOf(tree, tree[2 * node], [...bits, 0], codes);
    codesOf(tree, tree[2 * node + 1], [...bits, 1], codes);
  }
  return codes;
}

/** Range coding. Source: G. N. N. Martin, Range encoding, 1979. */
class Encoder {
  bytes = [];
  #low = 0;
  #range = 2 ** 32 - 1;

  /** Writes a bit that is 1 so probably (16 bits). */
  put(bit, probability) {
    const bound = (this.#range >>> 16) * probability;
    this.#low += bit === 1 ? 0 : bound;
    this.#range = bit === 1 ? bound : this.#range - bound;
    while (this.#range < 2 ** 24) {
      this.#range *= 256;
      this.#shift();
    }
  }

  finish() {
    for (let i = 0; i < 4; ++i) {
      this.#shift();
    }
    return Uint8Array.from(this.bytes);
  }

  /** Writes the upper byte, and what is carried over. */
  #shift() {
    if (this.#low >= 2 ** 32) {
      this.#low -= 2 ** 32;
      let i = this.bytes.length - 1;
      for (; this.bytes[i] === 255; --i) {
        this.bytes[i] = 0;
      }
      ++this.bytes[i];
    }
    this.bytes.push(Math.floor(this.#low / 2 ** 24));
    this.#low = (this.#low % 2 ** 24) * 256;
  }
}

/** @param tools of dist/: what goes over modules, and tells how probable their bits are */
export function pack(module, { kindCount, walk }, { tell, treeOf }) {
  const eachByte = (see) => {
    let at = 0;
    walk(module.length, (kind) => {
      see(kind, module[at]);
      return module[at++];
    });
  };
  const counts = Array.from({ length: kindCount }, () => Array(256).fill(0));
  eachByte((kind, byte) => ++counts[kind][byte]);
  const lengths = counts.map((ofKind) => codeLengths(ofKind).map((length) => length.toString(36)).join('').replace(/0+$/, ''));
  const codes = lengths.map((ofKind) => codesOf(treeOf(ofKind)));
  const bits = [];
  eachByte((kind, byte) => bits.push(...codes[kind][byte]));
  const encoder = new Encoder();
  let i = 0;
  tell(module.length, lengths, (probability) => {
    encoder.put(bits[i], probability);
    return bits[i++];
  });
  return { size: module.length, lengths, text: Buffer.from(encoder.finish()).toString('base64') };
}
