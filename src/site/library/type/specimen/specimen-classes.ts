import type { FontFace } from '../../../../export/fonts/font-faces.ts'

/** The class of text in one font. */
export function faceClass({ number }: FontFace): string {
  return `face-${number}`
}

/** The class of text in a family. */
export function familyClass(number: number): string {
  return `family-${number}`
}

/** The class of text in a weight. */
export function weightClass(weight: number): string {
  return `weight-${weight}`
}

/** The class of text at a place on an axis; a tag has four letters or digits. */
export function axisClass(tag: string, value: number): string {
  return `axis-${tag}-${String(value).replace('.', '_')}`
}

/** The class of text with a feature on or off; a tag has four letters or digits. */
export function featureClass(tag: string, isOn: boolean): string {
  return `${isOn ? 'on' : 'off'}-${tag}`
}
