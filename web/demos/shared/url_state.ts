/** One value of a page's state: its default, and how it is read from a text. */
interface Entry<T> {
  readonly fallback: T;
  read(text: string): T | undefined;
}

type Values<S> = { -readonly [K in keyof S]: S[K] extends Entry<infer T> ? T : never };

/** A number, clamped to its range. */
export function number(fallback: number, min: number, max: number): Entry<number> {
  return {
    fallback,
    read: (text) => (Number.isFinite(Number(text)) ? Math.min(max, Math.max(min, Number(text))) : undefined),
  };
}

export function whole(fallback: number, min: number, max: number): Entry<number> {
  const any = number(fallback, min, max);
  return {
    fallback,
    read: (text) => {
      const value = any.read(text);
      return value === undefined ? undefined : Math.round(value);
    },
  };
}

export function flag(fallback: boolean): Entry<boolean> {
  return { fallback, read: (text) => (text === '1' ? true : text === '0' ? false : undefined) };
}

export function choice<const T extends string>(fallback: T, all: readonly T[]): Entry<T> {
  return { fallback, read: (text) => all.find((one) => one === text) };
}

/** A page's state, which is also in its address: the link shows the same page. */
export interface State<V> {
  readonly values: V;
  /** Writes the values into the address, without those that have their defaults. */
  save(): void;
}

export function stateOf<S extends Record<string, Entry<unknown>>>(entries: S): State<Values<S>> {
  const parameters = new URLSearchParams(location.search);
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(entries)) {
    const text = parameters.get(key);
    values[key] = (text === null ? undefined : entry.read(text)) ?? entry.fallback;
  }
  return {
    values: values as Values<S>,
    save() {
      const query = new URLSearchParams();
      for (const [key, { fallback }] of Object.entries(entries)) {
        const value = values[key];
        if (value !== fallback) {
          query.set(key, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
        }
      }
      const text = query.toString();
      history.replaceState(null, '', text === '' ? location.pathname : `?${text}`);
    },
  };
}
