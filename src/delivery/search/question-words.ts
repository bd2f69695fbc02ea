import { isFormOf } from './words.ts'

/** Words that are in most questions and pages, so that they find nothing. */
export function isCommon(term: string): boolean {
  return COMMON.has(term)
}

/** Other words that guides use for the same, such as `minimum` for `smallest`, without their forms. */
export function synonymsOf(word: string): string[] {
  return SYNONYMS.filter(group => group.some(each => isSame(each, word))).flatMap(group =>
    group.filter(each => !isSame(each, word)),
  )
}

function isSame(word: string, other: string): boolean {
  return word === other || isFormOf(word, other, ENGLISH_ENDINGS)
}

export const ENGLISH_ENDINGS: ReadonlySet<string> = new Set([
  '',
  ...'s es e ed er ers est ing ings y ies ied d r rs st al ally ly ion ions'.split(' '),
])

const COMMON = new Set(
  (
    'a about after all am an and any anyone are around as at be been before behind between by can could did do does ' +
    'done each ever for from get give go goes going had has have here how i if in into is it its just kind know like look many may ' +
    'me might much must my near need next of off ok okay on onto one or our out over per please put s shall she ' +
    'should so some sort t take tell than that the their them then there these they thing this those through to too ' +
    'under up us use used uses using very via want was way we were what when where whether which while who whom ' +
    'whose why will with within would you your'
  ).split(' '),
)

/** Groups of words with one meaning in brand guides. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['colour', 'color', 'shade', 'hue'],
  ['grey', 'gray'],
  ['background', 'ground', 'backdrop'],
  ['font', 'typeface', 'typography', 'family'],
  ['leading', 'line'],
  ['tracking', 'spacing'],
  ['heading', 'headline', 'title'],
  ['paragraph', 'body', 'copy'],
  ['smallest', 'minimum', 'min', 'least'],
  ['largest', 'biggest', 'maximum', 'max'],
  ['large', 'big', 'size', 'dimensions'],
  ['phone', 'mobile', 'smartphone', 'screen'],
  ['tablet', 'screen'],
  ['website', 'web', 'online', 'screen'],
  ['photo', 'photograph', 'photography', 'picture', 'image', 'illustration'],
  ['video', 'film', 'movie', 'clip'],
  ['space', 'margin', 'padding'],
  ['paper', 'stock'],
  ['logo', 'logotype', 'wordmark'],
  ['symbol', 'mark', 'emblem'],
  ['licence', 'license', 'rights'],
  ['contact', 'email', 'question'],
  ['write', 'spell'],
  ['change', 'alter', 'modify'],
  ['stretch', 'distort', 'skew'],
  ['rotate', 'tilt', 'turn'],
  ['radius', 'corner'],
  ['forbidden', 'misuse', 'avoid', 'never', 'don'],
  ['capital', 'capitals', 'uppercase', 'caps'],
  ['people', 'person', 'human'],
  ['slide', 'presentation', 'deck'],
  ['doc', 'document'],
  ['download', 'file', 'kit'],
  ['organisation', 'organization', 'company'],
]
