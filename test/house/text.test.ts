import assert from 'node:assert/strict'
import test from 'node:test'
import { empty, leftOver, machineBound, tooLong, undecided, unexcused } from './text.ts'

const path = 'src/brand/a.ts'
const line = 'x\n'

test('a file of 250 lines is short enough, one of 251 is not', () => {
  assert.deepEqual(tooLong([{ path, text: line.repeat(250) }]), [])
  assert.deepEqual(tooLong([{ path, text: line.repeat(251) }]), [
    'src/brand/a.ts has 251 lines: make it two files, or name it in LONG with the reason',
  ])
})

test('a rule that is set aside is found', () => {
  const advice = 'is set aside: keep to the rule, or name it in EXCUSED with the reason'
  for (const [mark, rule] of [
    ['biome-ignore', 'lint/style/noEnum'],
    ['biome-ignore-all', 'lint/style/noEnum'],
    ['@ts-expect-error', ''],
  ]) {
    const found = rule === '' ? mark : rule
    assert.deepEqual(unexcused([{ path, text: `// ${mark} ${rule}: so` }]), [`${path} ${found} ${advice}`])
  }
  assert.deepEqual(unexcused([{ path, text: '// biome is kept to' }]), [])
})

test('names that say nothing are found, names that only hold such letters are not', () => {
  const bad = ['utils.ts', 'util/a.ts', 'helpers/a.ts', 'url-helper.ts', 'common.ts', 'file-manager.ts', 'misc/a.ts']
  for (const name of [...bad, 'index.ts']) {
    assert.deepEqual(empty([`src/brand/${name}`]), [`src/brand/${name}: name it for the one idea that is in it`])
  }
  assert.deepEqual(empty(['src/brand/commonmark.ts', 'examples/acme/pages/index.md', 'src/brand/mischief.ts']), [])
})

test('an open question in the code is found with its line', () => {
  const advice = 'settle it, or write it down in docs/decisions/'
  for (const word of ['TO-DO', 'FIX-ME', 'XX-X'].map(split => split.replace('-', ''))) {
    assert.deepEqual(leftOver([{ path, text: `a\n// ${word}: later` }]), [`${path}:2 "${word}": ${advice}`])
  }
  assert.deepEqual(leftOver([{ path, text: 'todos' }]), [])
})

test('paths of a machine and package hosts are found', () => {
  const folders = ['work main x', 'root .npmrc/', 'home ann x', 'tmp clone-a8Xk2q x'].map(
    words => `/${words.replaceAll(' ', '/')}`,
  )
  const hosts = ['registry npmjs org', 'deb debian org'].map(words => words.replaceAll(' ', '.'))
  for (const text of [...folders, ...hosts, `"${'resolved'}": "https://example.com/a.tgz"`]) {
    const said = machineBound([{ path, text }])
    assert.equal(said.length, 1, text)
    assert.match(said[0] ?? '', /^src\/brand\/a\.ts:1 ".+": no path of a machine and no package host belongs here$/)
  }
  for (const text of ['/workspace/a', 'https://example.com/work/a', '/tmp', './root/a', 'mkdtemp(tmpdir())']) {
    assert.deepEqual(machineBound([{ path, text }]), [], text)
  }
})

test('a decision record needs its number, subject, status and three parts', () => {
  const parts = ['# 12. Title', '- Subject: Store', '- Status: accepted', '## Context', '## Choice', '## Consequences']
  const record = `${parts.join('\n')}\n`
  const problems = (text: string) => undecided([{ path: 'docs/decisions/0012-a.md', text }])
  assert.deepEqual(problems(record), [])
  for (const part of parts) assert.equal(problems(record.replace(part, '')).length, 1, part)
  assert.deepEqual(problems(record.replace('# 12', '# 13')), [
    'docs/decisions/0012-a.md has no line that starts with "# 12."',
  ])
})
