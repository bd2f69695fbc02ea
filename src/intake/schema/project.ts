import {
  CORNERS,
  DARK_MODES,
  LAYOUTS,
  LINES,
  MOTIONS,
  NAVIGATIONS,
  OFFICE_COLORS,
  OFFICE_FONTS,
  PROJECT_FIELDS,
  SCALE_FIELDS,
  THEME_FIELDS,
} from '#brand/appearance.ts'
import { keysOf } from '#brand/fields.ts'
import { isFixedRule, type Problem, RULE_LEVELS, RULES } from '#brand/finding.ts'
import { RESERVED_WORKSPACE_IDS } from '#brand/ids.ts'
import { FIXED_LEVELS, LINT_LEVELS, LINT_RULES, NEUTRALS, TECHNICAL_INKS } from '#brand/lint-rules.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { pick } from '#platform/base/object.ts'
import { ok, type Result } from '#platform/base/result.ts'
import { anyCase } from '#platform/base/text.ts'
import { MAX_ENTRIES, type Reference } from '../yaml/references.ts'
import { readContact, readLanguage, readNumber, readOneOf, readProjectId } from '../yaml/scalars.ts'
import { COMMON_KINDS, schemasOf } from './kinds.ts'
import { number } from './numbers.ts'
import { mapping, type Schema, withDescription } from './schema.ts'
import { BLANK, form, HEX, NAME, oneOf, oneOrMore, PAGE_ID, SHORT_ID, URL_ADDRESS, URL_SCHEME } from './values.ts'

const ADDRESS: Schema = {
  type: 'string',
  maxLength: 1000,
  pattern: `^${BLANK}${URL_ADDRESS}${BLANK}$`,
  patternErrorMessage: 'Write an address with https://, http:// or mailto:.',
}

const MAIL_ADDRESS: Schema = form(`${BLANK}[^\\s@]+@[^\\s@]+${BLANK}`, 'Write an address, as in ada@acme.example.')

const CONTACT: Schema = {
  anyOf: [{ ...NAME, not: { type: 'string', pattern: `^${BLANK}${URL_SCHEME}` } }, ADDRESS],
}

export const THEME_KINDS = {
  ...COMMON_KINDS,
  corners: {
    schema: { anyOf: [oneOf(CORNERS), number({ min: 'zero', max: 100 }, `\\s*(?:${anyCase('px')})?`)] },
    read: readCorners,
  },
  scale: { schema: mapping(schemasOf(SCALE_FIELDS, COMMON_KINDS)) },
  lines: { schema: oneOf(LINES, 'hair'), read: readOneOf(LINES) },
  motion: { schema: oneOf(MOTIONS, 'calm'), read: readOneOf(MOTIONS) },
  'dark mode': { schema: oneOf(DARK_MODES, 'auto'), read: readOneOf(DARK_MODES) },
  layout: { schema: oneOf(LAYOUTS), read: readOneOf(LAYOUTS) },
} as const

/** The value of `theme` for a website that takes nothing from the guide's own data. */
export const NO_THEME = 'none'

/** The keys of a link of `footer`. */
export const FOOTER_LINK_KEYS = {
  name: withDescription(NAME, 'The text of the link.', 'Imprint'),
  url: withDescription(ADDRESS, 'The address, with https://, http:// or mailto:.', 'https://acme.example/imprint'),
}

export const OFFICE_KEYS = {
  dk1: withDescription(NAME, 'The id of the text colour.', 'ink'),
  lt1: withDescription(NAME, 'The id of the background colour.', 'paper'),
  dk2: withDescription(NAME, 'The id of the second dark colour.', 'graphite'),
  lt2: withDescription(NAME, 'The id of the second light colour.', 'mist'),
  accent1: withDescription(NAME, 'The id of the first colour of shapes and charts.', 'signal'),
  accent2: withDescription(NAME, 'The id of the second colour of shapes and charts.', 'moss'),
  accent3: withDescription(NAME, 'The id of the third colour of shapes and charts.', 'brass'),
  accent4: withDescription(NAME, 'The id of the fourth colour of shapes and charts.', 'beech'),
  accent5: withDescription(NAME, 'The id of the fifth colour of shapes and charts.', 'steel'),
  accent6: withDescription(NAME, 'The id of the sixth colour of shapes and charts.', 'chalk'),
  hlink: withDescription(NAME, 'The id of the colour of links.', 'signal'),
  folHlink: withDescription(NAME, 'The id of the colour of visited links.', 'iron'),
  major: withDescription(NAME, 'The family of headings.', 'IBM Plex Sans'),
  minor: withDescription(NAME, 'The family of body text.', 'IBM Plex Sans'),
}

/** All twelve colours or none, and both families or none. */
const OFFICE: Schema = {
  ...mapping(OFFICE_KEYS),
  anyOf: [
    { required: [...OFFICE_COLORS, ...OFFICE_FONTS] },
    { required: OFFICE_COLORS, propertyNames: { enum: OFFICE_COLORS } },
    { required: OFFICE_FONTS, propertyNames: { enum: OFFICE_FONTS } },
  ],
}

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

const WORDS: Schema = { type: 'array', items: mapping(WORD_KEYS, ['write', 'not']), maxItems: MAX_WORDS }

export const LINT_KEYS = {
  ignore: withDescription(
    { type: 'array', items: NAME, maxItems: 100 },
    'Globs of files that are not read, relative to the working folder.',
    ['vendor/**', '**/*.min.css'],
  ),
  rules: withDescription(mapping(levelKeys(LINT_RULES, LINT_LEVELS)), 'The levels of rules.', {
    'color-literal': 'warning',
  }),
  neutrals: withDescription(
    oneOf(NEUTRALS, 'usual'),
    'usual: black, white and greys are right in text, borders and shadows. strict: only those of the brand are right.',
  ),
  fonts: withDescription(
    { type: 'array', items: NAME, maxItems: 100 },
    'Families that files may use although the brand does not, for example for icons.',
    ['Font Awesome 6 Free'],
  ),
  technicalInks: withDescription(
    { type: 'array', items: NAME, maxItems: 100 },
    `Names of spot colours in PDFs that are lines for tools and no inks, in any case, with or without spaces and hyphens. ${TECHNICAL_INKS.join(', ')} always are.`,
    ['Kiss Cut'],
  ),
}

function levelKeys(
  rules: Readonly<Record<string, { severity: string; summary: string }>>,
  all: typeof LINT_LEVELS | typeof RULE_LEVELS,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(rules).map(([id, rule]) => {
      const levels = 'isAlwaysOn' in rule ? FIXED_LEVELS : all
      return [id, withDescription(oneOf(levels, rule.severity), rule.summary)]
    }),
  )
}

/** The highest number of reviewers, and of their addresses. */
export const [MAX_REVIEWERS, MAX_REVIEWER_ADDRESSES] = [3, 20] as const

export const PUBLISHING_KEYS = {
  reviewers: withDescription(
    {
      anyOf: [
        number({ min: 'above zero', max: MAX_REVIEWERS, isWhole: true }),
        { type: 'array', items: MAIL_ADDRESS, minItems: 1, maxItems: MAX_REVIEWER_ADDRESSES, uniqueItems: true },
      ],
    },
    'The people who must review a draft before it is published: how many, 1 to 3, or the addresses with which they sign in.',
    2,
    ['ada@acme.example'],
  ),
}

const SETTABLE_RULES = pick(
  RULES,
  keysOf(RULES).filter(id => !isFixedRule(id)),
)

/** The kinds of values of `project.yaml`. A value that can have several problems has its reader in `project-file.ts`. */
export const PROJECT_KINDS = {
  ...COMMON_KINDS,
  'project id': { schema: SHORT_ID, read: readProjectId },
  project: { schema: SHORT_ID, read: readProject },
  visibility: { schema: oneOf(['private', 'public'], 'private'), read: readOneOf(['private', 'public']) },
  'page ids': { schema: { type: 'array', items: PAGE_ID, uniqueItems: true } },
  revisions: { schema: oneOf(['private', 'served'], 'private'), read: readOneOf(['private', 'served']) },
  publishing: { schema: mapping(PUBLISHING_KEYS) },
  language: {
    schema: form(languageTag(), 'Write a language tag, as in de, en-GB or zh-Hant.'),
    read: readLanguage,
  },
  theme: { schema: { anyOf: [mapping(schemasOf(THEME_FIELDS, THEME_KINDS)), oneOf([NO_THEME])] } },
  contact: { schema: CONTACT, read: readContact },
  footer: { schema: { type: 'array', items: mapping(FOOTER_LINK_KEYS, ['name', 'url']), maxItems: MAX_ENTRIES } },
  office: { schema: OFFICE },
  navigation: { schema: oneOf(NAVIGATIONS), read: readOneOf(NAVIGATIONS) },
  words: { schema: WORDS },
  lint: { schema: mapping(LINT_KEYS) },
  'rule levels': { schema: mapping(levelKeys(SETTABLE_RULES, RULE_LEVELS)) },
} as const

export const PROJECT_KEYS = schemasOf(PROJECT_FIELDS, PROJECT_KINDS)

/** `project.yaml` */
export const PROJECT: Schema = {
  title: 'Project of a brand folder',
  ...mapping(PROJECT_KEYS),
  type: ['object', 'null'],
}

export const WORKSPACE_THEME_KEYS = {
  logo: withDescription(NAME, 'The logo: the path of a picture from workspace.yaml.', 'logo.svg'),
  accent: withDescription(HEX, 'The colour, in quotes.', '#c8102e'),
  ground: withDescription(HEX, 'The background of pages, in quotes.', '#f7f4ee'),
  corners: withDescription(THEME_KINDS.corners.schema, THEME_FIELDS.corners.about, 'square'),
  fonts: withDescription(oneOrMore(NAME), 'The fonts of one family: paths from workspace.yaml, at most four.', [
    'fonts/acme.woff2',
  ]),
}

export const WORKSPACE_KEYS = {
  id: withDescription(
    { ...SHORT_ID, not: { enum: RESERVED_WORKSPACE_IDS } },
    'The id of the workspace, the first part of its addresses. Default: made from the folder name.',
    'acme',
  ),
  name: withDescription(
    NAME,
    'The name of the workspace. Default: that of the only project, else the folder name.',
    'Acme',
  ),
  contact: PROJECT_KEYS.contact,
  theme: withDescription(
    mapping(WORKSPACE_THEME_KEYS),
    'The theme of the pages before a guide, such as that for signing in. Everyone sees it.',
    { logo: 'logo.svg', accent: '#c8102e' },
  ),
  edit: withDescription(
    {
      anyOf: [
        { enum: [true, 'true', 'review'] },
        {
          type: 'string',
          maxLength: 1000,
          pattern: `^${BLANK}(?=\\S*\\{path\\})${anyCase('http')}[Ss]?://\\S+${BLANK}$`,
          patternErrorMessage: 'Write true, or an address with https:// and {path}.',
        },
      ],
    },
    'The address for editing a file, with {path}, which each page links to. true: derived from the repository on GitHub or GitLab that the service follows. Default: no link. Services with --edit link to their own editor instead.',
    'https://github.com/acme/brand/edit/main/{path}',
  ),
}

/** `workspace.yaml` */
export const WORKSPACE: Schema = {
  title: 'Workspace of a brand folder',
  ...mapping(WORKSPACE_KEYS),
  type: ['object', 'null'],
}

/** `unicode_locale_id` of UTS 35 §3.2, except that it accepts repeated variants and extensions. */
function languageTag(): string {
  const letters = '[A-Za-z]'
  const sign = '[A-Za-z0-9]'
  return [
    `(?:${letters}{2,3}|${letters}{5,8})`,
    `(?:-${letters}{4})?`,
    `(?:-(?:${letters}{2}|\\d{3}))?`,
    `(?:-(?:${sign}{5,8}|\\d${sign}{3}))*`,
    `(?:-[A-SU-WYZa-su-wyz0-9](?:-${sign}{2,8})+)*`,
    `(?:-[xX](?:-${sign}{1,8})+)?`,
  ].join('')
}

function readProject(node: YamlNode): Result<Reference, Problem> {
  const id = readProjectId(node)
  return id.ok ? ok({ text: id.value, line: node.line }) : id
}

function readCorners(node: YamlNode): Result<(typeof CORNERS)[number] | number, Problem> {
  if (node.kind !== 'text' || !/^\s*[-+.\d]/.test(node.text)) return readOneOf(CORNERS)(node)
  return readPixels({ ...node, text: node.text.replace(/(?<!\s)\s*px\s*$/i, '') })
}

const readPixels = readNumber('square, soft, round or a number of px, 0 to 100', px => px >= 0 && px <= 100)
