import assert from 'node:assert/strict'
import test from 'node:test'
import { readProjectFile } from '#intake/project/project-file.ts'
import { problemLines, ruleIn } from '../../support/problems.ts'

test('project.yaml has an id, a name, a visibility and the order of pages', () => {
  const text =
    'id: guidelines\nname: Guidelines\nvisibility: public\nrevisions: served\npages:\n  - index\n  - logo/misuse\nlang: PT-br\n'
  assert.deepEqual(readProjectFile(text), {
    project: {
      id: 'guidelines',
      name: 'Guidelines',
      visibility: 'public',
      revisions: 'served',
      lang: 'pt-BR',
      pages: [
        { id: 'index', line: 6 },
        { id: 'logo/misuse', line: 7 },
      ],
    },
    problems: [],
  })
})

for (const text of ['', '{}', 'pages: []'])
  test(`project.yaml with ${JSON.stringify(text)} has no fields`, () =>
    assert.deepEqual(readProjectFile(text), { project: { pages: [] }, problems: [] }))

const address = 'write an address that begins with https://, http:// or mailto:'
const slots = 'dk1, lt1, dk2, lt2, accent1, accent2, accent3, accent4, accent5, accent6, hlink, folHlink, major, minor'
const invalidAppearances: Readonly<Record<string, string>> = {
  'theme: dark':
    'value-invalid 1: theme is "dark"; write "key: value" lines, with the keys logo, logoDark, icon, accent, ground, text, heading, body, scale, corners, lines, motion, dark, layout, download',
  'theme:\n  acent: ink': 'key-unknown 2: "acent" is not a key of theme; did you mean "accent"?',
  'theme:\n  accent: #ink':
    'value-unquoted 2: "accent" is followed by # without quotes, which YAML reads as a comment; write "#ink"',
  'theme:\n  logo: [a]': 'value-invalid 2: "logo" is a list; write text',
  'theme:\n  corners: softly':
    'value-invalid 2: "corners" is "softly"; write square, soft or round; did you mean "soft"?',
  'theme:\n  scale: { h4: body }': 'key-unknown 2: "h4" is not a key of scale; did you mean "h1"?',
  'theme:\n  lines: thick': 'value-invalid 2: "lines" is "thick"; write none, hair or rule',
  'theme:\n  motion: lively': 'value-invalid 2: "motion" is "lively"; write calm or none',
  'theme:\n  corners: 4em': 'value-invalid 2: "corners" is "4em"; write only the number, without a unit: 4',
  'theme:\n  corners: 101':
    'value-invalid 2: "corners" is "101"; write square, soft, round or a number of px, 0 to 100',
  'theme:\n  dark: on': 'value-invalid 2: "dark" is "on"; write auto or off',
  'socialImage:': 'value-invalid 1: "socialImage" has no value; write one, or remove it',
  'contact: [a, b]': 'value-invalid 1: "contact" is a list; write text',
  'contact: "https://"': `value-invalid 1: "contact" is "https://"; ${address}`,
  'footer: Imprint':
    'value-invalid 1: "footer" is "Imprint"; write a list of links, as in [{ name: Imprint, url: https://… }]',
  'footer:\n- { name: A }': 'value-missing 2: a link of footer has no "url"; write one',
  'footer:\n- { name: A, url: /imprint }': `value-invalid 2: "url" is "/imprint"; ${address}`,
  'footer:\n- { name: A, url: "javascript:alert(1)" }': `value-invalid 2: "url" is "javascript:alert(1)"; ${address}`,
  'footer:\n- { name: A, url: "data:text/html,x" }': `value-invalid 2: "url" is "data:text/html,x"; ${address}`,
  'footer:\n- { name: A, href: x, url: "https://a" }':
    'key-unknown 2: "href" is not a key of a link of footer; the keys are name, url',
  'office: { dk1: ink, lt1: paper }':
    'value-missing 1: "office" has no dk2, lt2, accent1, accent2, accent3, accent4, accent5, accent6, hlink, folHlink: an Office theme needs twelve colours; write them all, and repeat a colour if necessary',
  'office: { major: IBM Plex Sans }':
    'value-missing 1: "office" has no minor: an Office theme needs two fonts; write both, and repeat the family if there is only one',
  'office: blue': `value-invalid 1: office is "blue"; write "key: value" lines, with the keys ${slots}`,
  'office: { }': `value-invalid 1: "office" is empty; write "key: value" lines, with the keys ${slots}`,
  'office: { major: A, minor: B, acent1: ink }':
    'key-unknown 1: "acent1" is not a key of office; did you mean "accent1"?',
  [`footer: [${'{name: A, url: "https://a"}, '.repeat(101)}]`]:
    'value-invalid 1: "footer" has 101 links; write at most 100',
}
for (const [text, problem] of Object.entries(invalidAppearances))
  test(`project.yaml with ${JSON.stringify(text.slice(0, 60))} breaks ${ruleIn(problem)}`, () =>
    assert.deepEqual(problemLines(readProjectFile(text).problems), [problem]))

const reviewers = 'a number from 1 to 3, or at most 20 addresses, as in [ada@acme.example]'
const refused: Readonly<Record<string, string>> = {
  'id: My Project': 'id-invalid 1: "id" is "My Project"; write "my-project"',
  'visibility: Public': 'value-invalid 1: "visibility" is "Public"; write private or public; did you mean "public"?',
  'visibility: shared': 'value-invalid 1: "visibility" is "shared"; write private or public',
  'lang: german please':
    'value-invalid 1: "lang" is "german please", which is not a language tag; write one such as de, en-GB or zh-Hant',
  'publishing: 2': 'value-invalid 1: publishing is "2"; write "key: value" lines, with the keys reviewers',
  'publishing: { reviewers: 4 }': `value-invalid 1: "reviewers" is "4"; write ${reviewers}`,
  'publishing: { reviewers: [Ada] }': `value-invalid 1: "reviewers" has "Ada", which is not an address; write ${reviewers}`,
  'publishing: { reviewers: [] }': `value-invalid 1: "reviewers" has 0 addresses; write ${reviewers}`,
  'revisions: true': 'value-invalid 1: "revisions" is "true"; write private or served',
  'pages: index': 'value-invalid 1: "pages" is "index"; write a list of page ids, as in [index, logo]',
  'pages:': 'value-invalid 1: "pages" has no value; write one, or remove it',
  'pages: [Logo Misuse]': 'id-invalid 1: an entry of "pages" is "Logo Misuse"; write "logo-misuse"',
  'pages:\n- logo/index.md': 'id-invalid 2: an entry of "pages" is "logo/index.md"; write "logo"',
  'pages: [pages/index.md]': 'id-invalid 1: an entry of "pages" is "pages/index.md"; write "index"',
  'pages:\n  -index\n  -logo': 'value-invalid 2: "pages" has no space after its dash; write "- index"',
  'pages:\n  index\n  - logo':
    'value-invalid 2: "pages" has an item without a dash; begin each with a dash and a space',
  'visibility: “public”':
    'value-invalid 1: "visibility" is in curly quotes, which belong to the value; write straight quotes, as in "public"',
  'pages:\n- #a':
    'value-unquoted 2: an entry of "pages" is followed by # without quotes, which YAML reads as a comment; write "#a"',
  'page: x': 'key-unknown 1: "page" is not a key of project.yaml; did you mean "pages"?',
  '[]': 'value-invalid 1: project.yaml is a list; write "key: value" lines, with the keys id, name, visibility, pages, revisions, publishing, lang, translationOf, theme, socialImage, contact, footer, office, nav, words, lint, rules',
}
for (const [text, problem] of Object.entries(refused))
  test(`project.yaml with ${JSON.stringify(text)} breaks ${ruleIn(problem)}`, () => {
    const { project, problems } = readProjectFile(text)
    assert.deepEqual([project, problemLines(problems)], [{ pages: [] }, [problem]])
  })

test('project.yaml may list a page only once', () => {
  assert.deepEqual(readProjectFile('pages:\n- a\n- b\n- a\n'), {
    project: {
      pages: [
        { id: 'a', line: 2 },
        { id: 'b', line: 3 },
      ],
    },
    problems: [
      { rule: 'value-invalid', line: 4, message: '"pages" lists "a" here and on line 2; keep one of the two' },
    ],
  })
})
