import { LINT_LEVELS, LINT_RULES, NEUTRALS } from '../../brand/lint-rules.ts'
import { mapping, type Schema, withDescription } from './schema.ts'
import { BLANK, NAME, oneOf, oneOrMore } from './values.ts'

/** The number of words, and the number that one of them may replace. */
export const [MAX_WORDS, MAX_AVOIDED] = [1000, 50] as const

/** The keys of an entry of `words`. */
export const WORD_KEYS = {
  write: withDescription(NAME, 'The word to write.', 'use'),
  not: withDescription(
    {
      ...oneOrMore(NAME),
      minItems: 1,
      maxItems: MAX_AVOIDED,
      pattern: `^(?:${BLANK},)*${BLANK}[^\\p{Z}\\uFEFF\\p{Cc}\\p{Cs},][^\\p{Cc}\\p{Cs}]*\\n*$`,
    },
    'The words that it replaces: a list, or a string with commas.',
    'utilise, leverage',
  ),
  reason: withDescription(NAME, 'Why, in one line.', 'Short words are read faster.'),
  page: withDescription(NAME, 'The page that explains it: its id, or its path from project.yaml.', 'voice'),
}

/** The words of a brand. */
export const WORDS: Schema = { type: 'array', items: mapping(WORD_KEYS, ['write', 'not']), maxItems: MAX_WORDS }

/** The keys of `lint`. */
export const LINT_KEYS = {
  ignore: withDescription(
    { type: 'array', items: NAME, maxItems: 100 },
    'Globs of files that are not read, relative to the working folder.',
    ['vendor/**', '**/*.min.css'],
  ),
  rules: withDescription(mapping(levelKeys()), 'The levels of rules.', { 'color-literal': 'warning' }),
  neutrals: withDescription(
    oneOf(NEUTRALS, 'usual'),
    'usual: black, white and greys are right in text, borders and shadows. strict: only those of the brand are right.',
  ),
}

function levelKeys(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(LINT_RULES).map(([id, rule]) => {
      const levels = LINT_LEVELS.filter(level => level !== 'off' || !('isAlwaysOn' in rule))
      return [id, withDescription(oneOf(levels, rule.severity), rule.summary)]
    }),
  )
}
