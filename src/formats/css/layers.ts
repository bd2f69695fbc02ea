/** A cascade layer (CSS Cascade 5 §6.4); `path` has its place among the layers of each layer around it. */
export type Layer = { path: readonly number[]; inner: Map<string, Layer> }

/** The layer of declarations that are in no other. */
export function rootLayer(): Layer {
  return { path: [], inner: new Map() }
}

/** The layer with a name such as `base.colors` in another one, which takes the next place if it is new. Without a name, it is. */
export function innerLayer(outer: Layer, name: string): Layer {
  const names = name === '' ? [` ${outer.inner.size}`] : name.split('.', MAX_NAMES)
  return names.reduce((layer, each) => {
    const inner = layer.inner.get(each) ?? { path: [...layer.path, layer.inner.size], inner: new Map() }
    layer.inner.set(each, inner)
    return inner
  }, outer)
}

const MAX_NAMES = 20

/** Negative if the first layer is weaker: it comes before the other, or is in it. */
export function compareLayers(one: Layer, other: Layer): number {
  const at = one.path.findIndex((place, at) => place !== other.path[at])
  // Declarations of a layer come after all layers in it.
  const [first = LAST, second = LAST] = [one, other].map(({ path }) => path[at < 0 ? one.path.length : at])
  return first - second
}

const LAST = Number.MAX_SAFE_INTEGER
