import { PANTONE_KEYS, pantonesIn, usualPantones } from '#brand/styles/pantone.ts'
import { quote } from '#platform/base/text.ts'
import { type Fields, lineOf } from '../yaml/fields.ts'

type PantoneKey = (typeof PANTONE_KEYS)[number]
type References = Partial<Record<PantoneKey, string>>

/** Reports the Pantone references of a colour that libraries of inks spell in another way, and those that are no inks. */
export function reportInks(fields: Fields<string>, references: References): void {
  for (const key of PANTONE_KEYS) {
    const text = references[key] ?? ''
    const pantones = text === '' ? [] : pantonesIn(text)
    const line = lineOf(fields, key)
    const isUsual = pantones.every(({ name }) => name === text)
    if (!isUsual) fields.problems.push({ rule: 'ink-spelling', line, message: spellingMessage(key, text, references) })
    for (const { name } of pantones.filter(({ kind }) => kind === 'no ink')) {
      const message = `"${key}" is ${quote(name)}, which is no printing ink, so exports make no spot colour of it; write it under "inks", as in { Pantone: ${name} }`
      fields.problems.push({ rule: 'ink-not-spot', line, message })
    }
  }
}

/** `"pms" is "7501C / 7501U"; write "7501 C", and "7501 U" as "pms2"` */
function spellingMessage(key: PantoneKey, text: string, references: References): string {
  const { usual, rest } = usualPantones(references)
  const added = PANTONE_KEYS.filter(other => references[other] === undefined && usual[other] !== undefined)
  const writes = [key, ...added].map((each, at) => `${quote(usual[each] ?? '')}${at === 0 ? '' : ` as "${each}"`}`)
  const names = rest.map(quote).join(' and ')
  const end = names === '' ? '' : `; a colour has no key for ${names}, too: remove it, or write it under "inks"`
  return `"${key}" is ${quote(text)}; write ${writes.join(', and ')}: programs make another plate of another spelling${end}`
}
