/** Types for the parts of the package that tests use; it has none. */
declare module 'ase-util' {
  type Color = {
    type: 'color'
    name: string
    color: {
      model: 'RGB' | 'CMYK' | 'Gray' | 'LAB'
      type: 'global' | 'spot' | 'normal'
      hex?: string
      c?: number
      m?: number
      y?: number
      k?: number
    }
  }
  type Group = { type: 'group'; name: string; entries: Color[] }
  /** The entries of an Adobe Swatch Exchange file. */
  export function read(bytes: Buffer): (Color | Group)[]
}
