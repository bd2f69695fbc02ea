import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { readProperties, validate } from 'skills-ref'
import { skillName } from '#delivery/export/agents/skill-name.ts'
import { exported, type MadeExport } from '../../../support/exported.ts'
import { fc, forAllIn } from '../../../support/random.ts'
import { folderWith } from '../../../support/temporary.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()

const BRAND = {
  'project.yaml': 'visibility: public\ntheme: { logo: files/brand/logo.svg }\n',
  'pages/index.md':
    '---\ndescription: What Acme is.\n---\n# Acme\n\n[Misuse](logo/misuse.md#never) [mark](../files/brand/mark.svg) [sheet](../files/sheet.txt)\n',
  'pages/logo/misuse.md':
    '# Misuse\n\n[Home](../index.md), ![Logo](../../files/brand/logo.svg), [Ink](../../styles/colors.yaml#ink)\n',
  'files/brand/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
  'files/brand/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>',
  'files/sheet.txt': 'A sheet.',
  'styles/colors.yaml': '- { name: Ink, hex: "#14212b", cmyk: "85,65,50,70" }\n',
  'styles/types.yaml': '- { name: Body, size: 16 }\n',
}

// https://agentskills.io/specification
const RULES: [
  rule: string,
  holds: (skill: { name: string; folder: string; description: string; main: string }) => boolean,
][] = [
  ['name has 1 to 64 of a-z, 0-9 and hyphens', ({ name }) => /^[a-z0-9-]{1,64}$/.test(name)],
  ['name has no hyphen at an end and no two in a row', ({ name }) => !/^-|--|-$/.test(name)],
  ['name is the folder name', ({ name, folder }) => name === folder],
  ['description is 1 to 1,024 characters', ({ description }) => description.length >= 1 && description.length <= 1024],
  ['description says when to use it', ({ description }) => /\bUse when\b/.test(description)],
  ['description contains no tag', ({ description }) => !/[<>]/.test(description)],
  ['front matter begins the file', ({ main }) => main.startsWith('---\nname: ')],
  ['the body has fewer than 500 lines', ({ main }) => main.split('\n').length < 500],
]

test('a skill follows the rules of Agent Skills', async t => {
  const skill = await readSkill(await exported(temporary, 'skill', BRAND))
  for (const [rule, holds] of RULES) await t.test(rule, () => assert.ok(holds(skill)))
})

test('invalid skill names become valid ones that remain distinct', () => {
  const long = { workspace: 'w'.repeat(63), project: 'p'.repeat(63) }
  const cases: [ref: { workspace: string; project: string }, name: RegExp][] = [
    [{ workspace: 'acme', project: 'guidelines' }, /^acme-guidelines$/],
    [{ workspace: 'acme', project: 'acme' }, /^acme$/],
    [{ workspace: 'a--b', project: 'c-' }, /^a-b-c-[0-9a-f]{8}$/],
    [long, /^w{55}-[0-9a-f]{8}$/],
  ]
  for (const [ref, name] of cases) assert.match(skillName(ref), name)
  assert.notEqual(skillName(long), skillName({ ...long, project: 'q'.repeat(63) }))
})

test('a skill with many pages has a short body, and one with too much text lists the pages that it omits', async () => {
  const text = 'x'.repeat(1_000_000)
  const pages = Array.from({ length: 18 }, (_, at) => [
    `pages/p${String(at).padStart(2, '0')}.md`,
    `# ${at}\n\n[last](p17.md)\n\n${text}\n`,
  ])
  const styles = Array.from({ length: 300 }, (_, at) => `- { name: C${at}, hex: "#000" }\n`)
  const made = await exported(temporary, 'skill', {
    ...Object.fromEntries(pages),
    'styles/colors.yaml': styles.join(''),
  })
  assert.deepEqual(made.leftOut, ['2 pages (p16, p17): a skill contains only the first 16 MiB of text'])
  const { main, name } = await readSkill(made)
  assert.match(main, /^# left out: 2 pages/m)
  assert.match(main, /^240 more: see assets\/styles\.json\.$/m)
  assert.match(textIn(made, `${name}/references/p00.md`), /\[last\]\(http:\/\/brand\.test\//)
})

test('for any names and descriptions, a validator reads the skill and its name, and pages have correct front matter', async () => {
  const piece = fc.constantFrom(
    ...'"¦\'¦*/¦</style>¦{{¦---¦__proto__¦😀¦\u202e'.split('¦'),
    'x'.repeat(100),
    ...'\\¦`¦#¦: ¦<!--¦]¦a'.split('¦'),
  )
  const text = fc.array(piece, { minLength: 1, maxLength: 10 }).map(parts => `N${parts.join('')}`)
  await forAllIn(20, [text, text], async (name, about) => {
    const made = await exported(temporary, 'skill', {
      'project.yaml': `visibility: public\nname: ${JSON.stringify(name)}\n`,
      'pages/index.md': `---\ntitle: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(about)}\n---\nText\n`,
      'styles/colors.yaml': JSON.stringify([{ id: 'c', name, hex: '#123456' }]),
    })
    const { description, folder, main } = await readSkill(made)
    assert.ok(description.includes(`Acme – ${name.replace(/[<>\u202e]/g, '')}`.slice(0, 150).trim()))
    assert.equal(made.files.size, 5)
    assert.equal(main.match(/^## .*$/gm)?.join(), '## Pages,## Colours,## Files')
    const { title } = JSON.parse(
      `{${textIn(made, `${folder}/references/index.md`).split('\n')[1]?.replace('title', '"title"')}}`,
    )
    assert.equal(title, name)
  })
})

/** Writes a skill to a folder and reads it with the reference implementation. Fails if that reports a problem. */
async function readSkill({ files }: MadeExport) {
  const root = await folderWith({})
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), bytes)
  }
  const [folder = ''] = [...files.keys()][0]?.split('/') ?? []
  assert.deepEqual(await validate(join(root, folder)), [])
  const { name, description } = await readProperties(join(root, folder))
  return { name, description, folder, main: await readFile(join(root, folder, 'SKILL.md'), 'utf8') }
}

function textIn({ files }: MadeExport, path: string): string {
  return new TextDecoder().decode(files.get(path))
}
