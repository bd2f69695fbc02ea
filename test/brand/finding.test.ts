import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { RULES } from '#brand/finding.ts'
import { importFolder } from '#publishing/import/import.ts'
import { openStore } from '#store/store.ts'
import { lines, READ_OPTIONS } from '../intake/reading.ts'
import { copyUnderWay } from '../support/copy-under-way.ts'
import { photoshop } from '../support/photoshop.ts'
import { pngHeader } from '../support/png-header.ts'
import { needs } from '../support/programs.ts'
import { nameTable, sfnt } from '../support/sfnt.ts'
import { type Contents, folderWith, temporaryFolder } from '../support/temporary.ts'
import { INTER, interWith } from '../support/variable-font.ts'

/** The smallest folder that breaks a rule; `prepare` and `meanwhile` do what files alone cannot express. */
type Case = {
  contents: Contents
  before?: Contents
  /** A project that is being copied during the import. */
  copied?: string
  prepare?: (folder: string) => unknown
  /** Changes the folder after its first page was read. */
  meanwhile?: (folder: string) => unknown
  maxFile?: number
  folderName?: string
  submodules?: string[]
}

const PLEX = readFileSync(
  new URL('../../examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2', import.meta.url),
)
const color = (rest: string): Contents => ({ 'styles/colors.yaml': `- name: Ink\n  ${rest}\n` })
const CASES: Readonly<Record<keyof typeof RULES, Case>> = {
  'no-project': { contents: {} },
  'id-invalid': { contents: { 'project.yaml': 'id: No Slug' } },
  'id-taken': { contents: { 'pages/a.md': '# A\n', 'pages/a/index.md': '# A\n' } },
  'folder-ambiguous': { contents: { 'pages/index.md': '# A\n', 'sub/pages/index.md': '# A\n' } },
  'rule-fixed': { contents: { 'pages/index.md': '# A\n', 'project.yaml': 'rules: { too-large: off }' } },
  'workspace-new': {
    contents: { 'pages/index.md': '# Nova\n' },
    before: { 'pages/index.md': '# Nova\n' },
    folderName: 'nova',
  },
  'translation-original': { contents: { 'a/pages/index.md': '# A\n', 'a/project.yaml': 'translationOf: b\nlang: de' } },
  'translation-public': {
    contents: {
      'a/pages/index.md': '# A\n',
      'b/pages/index.md': '# B\n',
      'b/project.yaml': 'translationOf: a\nlang: de\nvisibility: public',
    },
  },
  'translation-missing': {
    contents: {
      'a/pages/index.md': '# A\n',
      'b/pages/other.md': '# B\n',
      'b/project.yaml': 'translationOf: a\nlang: de',
    },
  },
  'translation-stale': {
    contents: {
      'a/pages/index.md': '# A\n',
      'b/pages/index.md': `---\ntranslated: ${'0'.repeat(32)}\n---\n# B\n`,
      'b/project.yaml': 'translationOf: a\nlang: de',
    },
  },
  'project-copying': { contents: { 'a/pages/index.md': '# A\n' }, copied: 'a' },
  'project-missing': { contents: { 'a/pages/index.md': '# A\n' }, before: { 'b/pages/index.md': '# A\n' } },
  'not-followed': { contents: { 'pages/a.md': '# A\n' }, prepare: folder => symlink('/etc', join(folder, 'pages/b')) },
  'git-submodule': { contents: { 'pages/a.md': '# A\n' }, submodules: ['files/logos'] },
  'not-read': { contents: { 'pages/a.md': '# A\n', 'project.yml': '' } },
  'name-unusable': { contents: { 'pages/a\nb.md': '# A\n' } },
  unreadable: {
    contents: { 'pages/a.md': '# A\n', 'files/a.txt': '' },
    prepare: folder => chmod(join(folder, 'files/a.txt'), 0),
  },
  'changed-while-read': {
    contents: { 'pages/a.md': '# A\n', 'pages/b.md': '# A\n' },
    meanwhile: folder => rmSync(join(folder, 'pages/b.md'), { force: true }),
  },
  'too-large': { contents: { 'files/a.txt': 'four' }, maxFile: 3 },
  'too-many': { contents: { 'pages/a.md': '[a](a) '.repeat(10_001) } },
  'not-utf8': { contents: { 'pages/a.md': Buffer.from([0xff]) } },
  'yaml-syntax': { contents: { 'project.yaml': 'name: "a' } },
  'yaml-duplicate-key': { contents: { 'project.yaml': 'name: a\nname: b' } },
  'yaml-alias': { contents: { 'project.yaml': 'name: &a b' } },
  'yaml-depth': { contents: { 'project.yaml': `name: ${'['.repeat(40)}` } },
  'key-unknown': { contents: { 'project.yaml': 'nmae: a' } },
  'front-matter-open': { contents: { 'pages/a.md': '---\ntitle: A\n' } },
  'front-matter-twice': { contents: { 'pages/a.md': '---\ntitle: A\n---\n;;;\n{ "draft": true }\n;;;\nText\n' } },
  'front-matter-key-unknown': { contents: { 'pages/a.md': '---\nlayout: wide\n---\nText\n' } },
  'front-matter-value-unknown': { contents: { 'pages/a.md': '---\nwide: 800px\n---\nText\n' } },
  'cover-unknown': { contents: { 'pages/a.md': '---\ncover: gone.jpg\n---\nText\n' } },
  'cover-contrast': {
    contents: {
      'pages/a.md': '---\ncover: { image: lemon, text: light }\n---\nText\n',
      'styles/colors.yaml': '- { name: Lemon, hex: "#ffd84a" }\n',
    },
  },
  'value-missing': { contents: { 'styles/colors.yaml': '- name: Ink' } },
  'value-invalid': { contents: color('hex: blue') },
  'value-too-long': { contents: { 'project.yaml': `name: ${'n'.repeat(1001)}` } },
  'value-unquoted': { contents: color('hex: #000000') },
  'value-placeholder': { contents: color('hex: "000"\n  pms: n/a') },
  'color-disagreement': { contents: color('hex: "000"\n  rgb: "1,1,1"') },
  'cmyk-fraction': { contents: color('hex: "000"\n  cmyk: 0.9, 0.45, 0.25, 0.3') },
  'ral-design': { contents: color('hex: "000"\n  ral: RAL 240 40 40') },
  'styles-empty': { contents: { 'styles/colors.yaml': '', 'pages/a.md': '[All](../styles/colors.yaml)' } },
  'reference-missing': { contents: { 'pages/a.md': '# A\n', 'project.yaml': 'theme: { accent: gone }' } },
  'theme-contrast': { contents: { ...color('hex: "fefefe"'), 'project.yaml': 'theme: { accent: ink }' } },
  'social-image-format': {
    contents: {
      'files/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'project.yaml': 'socialImage: files/a.svg',
    },
  },
  'font-weight-missing': {
    contents: { 'styles/types.yaml': '- {name: a, family: IBM Plex Sans, weight: Bold}', 'files/a.woff2': PLEX },
  },
  'font-axis-missing': {
    contents: { 'styles/types.yaml': '- {name: a, family: IBM Plex Sans, axes: {SOFT: 1}}', 'files/a.woff2': PLEX },
  },
  'font-family-missing': { contents: { 'styles/types.yaml': '- name: a\n  family: Gone' } },
  'page-listed-missing': { contents: { 'project.yaml': 'pages: [gone]' } },
  'link-broken': { contents: { 'pages/a.md': '[gone](gone)' } },
  'link-dropped': { contents: { 'pages/a.md': '[Run](javascript:alert(1))' } },
  'link-local': { contents: { 'pages/a.md': '![Logo](C:\\logo.png)' } },
  'html-dropped': { contents: { 'pages/a.md': '<iframe></iframe>' } },
  'html-markdown': { contents: { 'pages/a.md': '<div>\n**a**\n</div>\n' } },
  'text-lost': { contents: { 'pages/a.md': '[^1]: a\n' } },
  'page-format': { contents: { 'pages/a.docx': '' } },
  'link-space': { contents: { 'pages/a.md': '![x](a b.png)' } },
  'link-heading-missing': { contents: { 'pages/a.md': '[x](#gone)' } },
  'link-style-missing': { contents: { ...color('hex: "000"'), 'pages/a.md': '[x](../styles/colors.yaml#gone)' } },
  'link-stage': { contents: { 'pages/a.md': '[x](../files/a.zip?stage)', 'files/a.zip': '' } },
  'font-name-missing': { contents: { 'files/a.ttf': interWith({ name: nameTable([]) }) } },
  'font-ambiguous': {
    contents: { 'files/a.ttf': sfnt(INTER), 'files/b.ttf': Buffer.concat([sfnt(INTER), Buffer.alloc(4)]) },
  },
  'export-cmyk-missing': {
    contents: {
      'styles/colors.yaml': '- { name: Ink, hex: "000", cmyk: [0, 0, 0, 100] }\n- { name: Sky, hex: "9cf" }\n',
    },
  },
  'export-ink-names': {
    contents: {
      'styles/colors.yaml': '- { name: Blue, hex: "00f", pms: 285 C }\n- { name: Sky, hex: "9cf", pms: 285C }\n',
    },
  },
  'export-tailwind-name': { contents: { 'styles/colors.yaml': '- { name: Center, hex: "000" }\n' } },
  'export-left-out': { contents: color('hex: "000"\n  use: To {first name}') },
  'export-font-rights': { contents: { 'files/closed.ttf': closedFont() } },
  'layout-comment': { contents: { 'pages/a.md': '<!-- full -->\n' } },
  'fence-open': { contents: { 'pages/a.md': '```\na\n' } },
  'heading-id': { contents: { 'pages/a.md': '# A {#a b}\n' } },
  'heading-space': { contents: { 'pages/a.md': '##Do\n' } },
  'list-space': { contents: { 'pages/a.md': '-\u00a0Do\n' } },
  'table-rule': { contents: { 'pages/a.md': '| a |\n| b |\n' } },
  'page-draft': { contents: { 'pages/a.md': '---\ndraft: true\n---\n# A\n' } },
  'page-empty': { contents: { 'pages/a.md': '' } },
  'styles-misplaced': { contents: { 'pages/a.md': '# A\n', 'colors.yaml': '- { name: Ink, hex: "000" }\n' } },
  'value-cut': { contents: { 'project.yaml': 'name: Signal #1\n' } },
  'template-tag': { contents: { 'pages/a.md': '{% include a.html %}' } },
  'file-described-missing': { contents: { 'files/files.yaml': 'gone.svg: gone' } },
  'description-unused': { contents: { 'files/a.txt': 'a', 'files/files.yaml': 'a.txt: a text' } },
  'file-expiring': {
    contents: { 'files/a.txt': 'a', 'files/files.yaml': 'a.txt: { until: 2026-12-22 }' },
  },
  'type-mismatch': { contents: { 'files/a.png': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' } },
  'font-unreadable': { contents: { 'files/a.woff2': 'wOF2' } },
  'picture-format': { contents: { 'pages/a.md': '![A](../files/a.psd)', 'files/a.psd': photoshop(4, 3) } },
  'picture-pixels': { contents: { 'pages/a.md': '![A](../files/a.png)', 'files/a.png': pngHeader(20_000, 20_000) } },
  'picture-external': {
    contents: {
      'files/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><image href="a.png"/></svg>',
    },
  },
  'picture-damaged': { contents: { 'files/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><g>' } },
  'picture-unreadable': { contents: { 'files/a.png': '\x89PNG' } },
}

for (const [
  rule,
  { contents, before, copied, prepare, meanwhile, maxFile, folderName, submodules = [] },
] of Object.entries(CASES))
  test(
    `a folder that breaks only ${rule} has only that finding`,
    needs(...(rule === 'unreadable' ? ['another user' as const] : [])),
    async () => {
      const folder = await folderWith(contents, folderName)
      await prepare?.(folder)
      if (rule === 'unreadable' && process.getuid?.() === 0) return checkAsNobody(folder)
      const store = await openStore(await temporaryFolder())
      const options = { ...READ_OPTIONS, isDryRun: false, now: () => new Date('2026-11-22') }
      if (before) await importFolder(store, await folderWith(before), options)
      const place = (project: string) => ({ workspace: 'acme', project })
      const release = copied && (await copyUnderWay(store, place(copied), place('other')))
      const { findings } = await importFolder(store, folder, {
        ...options,
        isForExport: rule.startsWith('export-'),
        reportsExpiry: true,
        submodules,
        progress: () => meanwhile?.(folder),
        caps: { ...options.caps, maxFile: maxFile ?? options.caps.maxFile },
      })
      if (release) release()
      await store.close()
      assert.ok(findings.length > 0)
      for (const finding of findings) {
        assert.deepEqual([finding.rule, finding.severity], [rule, Reflect.get(RULES, rule).severity])
        assert.match(finding.message, /[:;?]/, 'says what to do')
      }
    },
  )

test('this test has a folder that breaks each rule', () => {
  assert.deepEqual(Object.keys(CASES).toSorted(), Object.keys(RULES).toSorted())
})

test('every rule states the problem and the fix in whole sentences', () => {
  for (const { summary, fix } of Object.values(RULES)) assert.match(`${summary}\n${fix}`, /^\S.*\.\n[A-Z].*\.$/)
})

/** Root may read everything, so another user runs the check. */
function checkAsNobody(folder: string): void {
  execFileSync('chmod', ['a+rx', join(folder, '..'), folder])
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const { status, stdout } = spawnSync(process.execPath, [main, 'check', folder, '--json'], {
    uid: 65534,
    gid: 65534,
  })
  assert.equal(status, 1)
  assert.deepEqual(lines(JSON.parse(stdout.toString())), ['files/a.txt: error unreadable'])
}

/** A font whose OS/2 table forbids embedding. */
function closedFont(): Uint8Array {
  const table = Buffer.from(INTER.get('OS/2') ?? [])
  table.writeUInt16BE(2, 8)
  return interWith({ 'OS/2': table })
}
