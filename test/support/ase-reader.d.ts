/** As much of the package as tests use: it comes without types. */
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
  /** The entries of a file of Adobe Swatch Exchange. */
  export function read(bytes: Buffer): (Color | Group)[]
}
