import type { FontFace } from '../../../../export/fonts/font-faces.ts'

/** The class of what is set in one font alone. */
export function faceClass({ number }: FontFace): string {
  return `face-${number}`
}

/** The class of what is set in a family. */
export function familyClass(number: number): string {
  return `family-${number}`
}

/** The class of what is set in a weight. */
export function weightClass(weight: number): string {
  return `weight-${weight}`
}

/** The class of what is set with a feature, or without it; a tag is four letters or digits. */
export function featureClass(tag: string, isOn: boolean): string {
  return `${isOn ? 'on' : 'off'}-${tag}`
}
