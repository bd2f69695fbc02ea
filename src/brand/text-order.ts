/** Compares two texts by their code units: the same on every machine and in every locale. */
export function textOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
