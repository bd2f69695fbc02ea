import { type BrandFile, isLight } from '../../brand/file.ts'
import { textColorOn } from '../../brand/styles/contrast.ts'
import type { Publication } from '../../serving/publications/publications.ts'
import { describeOmission } from '../format.ts'
import { logosOf } from '../logos.ts'
import { plainKeys } from './plain-keys.ts'

/** A logo of a brand file with its key, and whether it is for dark backgrounds, if that is known. */
export type KeyedLogo = { file: BrandFile; key: string; isForDark: boolean | undefined }

/** The logos that a brand file lists, the first `MAX_LOGOS`, and sentences about the others. */
export async function listedLogos(content: Publication['content']): Promise<{ logos: KeyedLogo[]; leftOut: string[] }> {
  const [{ theme }, colors] = [await content.appearance(), await content.colors()]
  const hexes: ReadonlyMap<string, string> = new Map(colors.map(({ id, hex }) => [id, hex]))
  const { logos, others } = await logosOf(content)
  const keys = plainKeys(logos.map(placeOf))
  const listed = logos.slice(0, MAX_LOGOS).map(file => {
    const ground = hexes.get(file.ground ?? '')
    const isCalledDark = file.path === theme?.logoDark || isLight(file)
    const isForDark = ground === undefined ? isCalledDark || undefined : textColorOn(ground) === 'white'
    return { file, key: keys.get(placeOf(file)) ?? '', isForDark }
  })
  const leftOut = [
    ...describeOmission('file', others.map(placeOf), 'a logo is a picture here'),
    ...describeOmission('logo', logos.slice(MAX_LOGOS).map(placeOf), `only the first ${MAX_LOGOS} are listed`),
  ]
  return { logos: listed, leftOut }
}

const MAX_LOGOS = 100

function placeOf({ path }: BrandFile): string {
  return path.replace(/^files\//, '')
}
