import assert from 'node:assert/strict'
import test from 'node:test'
import { readFilesFile } from '#intake/files/files-file.ts'
import { problemLines, ruleIn } from '../../support/problems.ts'

test('files.yaml gives descriptions, and fields that override the metadata of files', () => {
  const { files, problems } = readFilesFile(
    'images/logo.svg: Our logo\nfonts/acme.woff2: { contentType: Font/WOFF2, subFamily: Bold Italic }\nimages/plain.png: {}\n__proto__: A strange name\n',
  )
  const seen = files.map(({ path, overrides }) => [path, overrides])
  assert.deepEqual(seen, [
    ['images/logo.svg', { description: 'Our logo' }],
    ['fonts/acme.woff2', { contentType: 'font/woff2', subFamily: 'Bold Italic' }],
    ['images/plain.png', {}],
    ['__proto__', { description: 'A strange name' }],
  ])
  assert.deepEqual(problems, [])
})

test('files.yaml says where a file may be used, and until when', () => {
  const text = `a.svg: { order: -1.5, medium: [print, screen, print], minWidth: 24, clearSpace: 0.5, clearSpaceOf: The o, licence: CC BY 4.0, territory: Europe, until: 2028-02-29 }
b.svg: { medium: "video, merchandise" }
c.svg: { medium: screen }
`
  const { files, problems } = readFilesFile(text)
  assert.deepEqual(problems, [])
  const seen = files.map(({ notes }) => notes)
  assert.deepEqual(seen, [
    {
      order: -1.5,
      medium: ['screen', 'print'],
      minWidth: 24,
      clearSpace: 0.5,
      clearSpaceOf: 'The o',
      licence: 'CC BY 4.0',
      territory: 'Europe',
      until: '2028-02-29',
    },
    { medium: ['merchandise', 'video'] },
    { medium: ['screen'] },
  ])
})

test('files.yaml may be empty', () => assert.deepEqual(readFilesFile(''), { files: [], problems: [] }))

const pixels = 'write a whole number of px above 0, as in 640'
const refused: Readonly<Record<string, string>> = {
  '- a.svg': 'value-invalid 1: the file is a list; write a mapping of paths, as in images/logo.svg: Our logo',
  'a.svg:': 'value-invalid 1: "a.svg" has no value; write one, or remove it',
  'a.svg: #1': 'value-unquoted 1: "a.svg" is followed by # without quotes, which YAML reads as a comment; write "#1"',
  'a.svg: [Logo]': 'value-invalid 1: "a.svg" is a list; write text',
  [`a.svg: ${'x'.repeat(1001)}`]: 'value-too-long 1: "a.svg" has more than 1,000 characters; shorten it',
  'a.svg: "a\\u0007"': 'value-invalid 1: "a.svg" has a line break or another control character; remove it',
  '"": Logo': 'value-invalid 1: the path "" is not a valid file path; write one under files/ or pages/',
  '"a\\nb": Logo': 'value-invalid 1: the path "a\\nb" is not a valid file path; write one under files/ or pages/',
  'a.svg: A\na.svg: B': 'yaml-duplicate-key 2: "a.svg" appears here and on line 1; keep one of the two',
  'a.svg:\n  desc: A': 'key-unknown 2: "desc" is not a key of a file in files.yaml; did you mean "description"?',
  'a.svg:\n  width: 640px': 'value-invalid 2: "width" is "640px"; write only the number, without a unit: 640',
  'a.svg:\n  width: 0': `value-invalid 2: "width" is "0"; ${pixels}`,
  'a.svg:\n  height: 1.5': `value-invalid 2: "height" is "1.5"; ${pixels}`,
  'a.ttf:\n  weight: bold': 'value-invalid 2: "weight" is "bold"; write a whole number from 1 to 1000, as in 400',
  'a.ttf:\n  weight: 1001': 'value-invalid 2: "weight" is "1001"; write a whole number from 1 to 1000, as in 400',
  'a.ttf:\n  style: Italic':
    'value-invalid 2: "style" is "Italic"; write normal, italic or oblique; did you mean "italic"?',
  'a.svg:\n  medium: [print, web]':
    'value-invalid 2: "medium" has an entry that is "web"; write screen, print, merchandise or video; did you mean "screen"?',
  'a.svg:\n  medium: []': 'value-invalid 2: "medium" is empty; write one or more of screen, print, merchandise, video',
  'a.svg:\n  minWidth: 10 mm': 'value-invalid 2: "minWidth" is "10 mm"; write it in px, without a unit: 38',
  'a.svg:\n  minWidth: 24px': 'value-invalid 2: "minWidth" is "24px"; write only the number, without a unit: 24',
  'a.svg:\n  clearSpace: 0': 'value-invalid 2: "clearSpace" is "0"; write a number above 0, at most 4, as in 0.5',
  'a.svg:\n  clearSpace: 0.5x': 'value-invalid 2: "clearSpace" is "0.5x"; write only the number, without a unit: 0.5',
  'a.svg:\n  clearspace: 1':
    'key-unknown 2: "clearspace" is not a key of a file in files.yaml; did you mean "clearSpace"?',
  'a.svg:\n  until: 29.11.2027':
    'value-invalid 2: "until" is "29.11.2027"; write a day as YYYY-MM-DD, as in 2027-11-29',
  'a.svg:\n  until: 2027-02-29':
    'value-invalid 2: "until" is "2027-02-29", but February 2027 has 28 days; write a day as YYYY-MM-DD, as in 2027-11-29',
  'a.svg:\n  license: MIT': 'key-unknown 2: "license" is not a key of a file in files.yaml; did you mean "licence"?',
  'a.svg:\n  library: yes': 'value-invalid 2: "library" is "yes"; write true or false',
  'a.svg:\n  title: ""': 'value-invalid 2: "title" is blank; write something, or remove it',
  'a.svg:\n  ground: "#fff"\n  grund: x':
    'key-unknown 3: "grund" is not a key of a file in files.yaml; did you mean "ground"?',
  'a.ttf:\n  contentType: ttf':
    'value-invalid 2: "contentType" is "ttf"; write a type and a subtype, as in image/svg+xml',
  'a.ttf:\n  contentType: text/html; charset=x':
    'value-invalid 2: "contentType" is "text/html; charset=x"; write a type and a subtype, as in image/svg+xml',
}
for (const [text, problem] of Object.entries(refused))
  test(`files.yaml with ${JSON.stringify(text.slice(0, 40))} breaks ${ruleIn(problem)}`, () =>
    assert.deepEqual(problemLines(readFilesFile(text).problems), [problem]))

test('files.yaml may have a description of several lines', () => {
  const { files, problems } = readFilesFile('a.svg: |\n  One.\n\n  Two.\n')
  assert.deepEqual([files[0]?.overrides, problems], [{ description: 'One.\n\nTwo.' }, []])
})
