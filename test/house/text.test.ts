import assert from 'node:assert/strict'
import test from 'node:test'
import {
  findIncompleteDecisions,
  findLongFiles,
  findMachinePaths,
  findOpenQuestions,
  findSuppressions,
  findVagueNames,
} from './text.ts'

const path = 'src/brand/a.ts'
const line = 'x\n'

test('a file of 400 lines is short enough, one of 401 is not', () => {
  assert.deepEqual(findLongFiles([{ path, text: line.repeat(400) }]), [])
  assert.deepEqual(findLongFiles([{ path, text: line.repeat(401) }]), [
    'src/brand/a.ts has 401 lines: split it, or add it to LONG_FILES with the reason',
  ])
})

test('a suppressed rule is reported', () => {
  const advice = 'is suppressed: follow the rule, or add it to ALLOWED_SUPPRESSIONS with the reason'
  for (const [mark, rule] of [
    ['biome-ignore', 'lint/style/noEnum'],
    ['biome-ignore-all', 'lint/style/noEnum'],
    ['@ts-expect-error', ''],
  ]) {
    const found = rule === '' ? mark : rule
    assert.deepEqual(findSuppressions([{ path, text: `// ${mark} ${rule}: so` }]), [`${path} ${found} ${advice}`])
  }
  assert.deepEqual(findSuppressions([{ path, text: '// biome checks this' }]), [])
})

test('a vague name is reported, but not a name that only contains its letters', () => {
  const bad = ['utils.ts', 'util/a.ts', 'helpers/a.ts', 'url-helper.ts', 'common.ts', 'file-manager.ts', 'misc/a.ts']
  for (const name of [...bad, 'index.ts']) {
    assert.deepEqual(findVagueNames([`src/brand/${name}`]), [`src/brand/${name}: name it after its one subject`])
  }
  assert.deepEqual(
    findVagueNames(['src/brand/commonmark.ts', 'examples/acme/pages/index.md', 'src/brand/mischief.ts']),
    [],
  )
})

test('an open question in the code is reported with its line', () => {
  const advice = 'resolve it, or record it in docs/decisions/'
  for (const word of ['TO-DO', 'FIX-ME', 'XX-X'].map(split => split.replace('-', ''))) {
    assert.deepEqual(findOpenQuestions([{ path, text: `a\n// ${word}: later` }]), [`${path}:2 "${word}": ${advice}`])
  }
  assert.deepEqual(findOpenQuestions([{ path, text: 'todos' }]), [])
})

test('a path of a machine or a package host is reported', () => {
  const folders = ['work main x', 'root .npmrc/', 'home ann x', 'tmp clone-a8Xk2q x'].map(
    words => `/${words.replaceAll(' ', '/')}`,
  )
  const hosts = ['registry npmjs org', 'deb debian org'].map(words => words.replaceAll(' ', '.'))
  for (const text of [...folders, ...hosts, `"${'resolved'}": "https://example.com/a.tgz"`]) {
    const problems = findMachinePaths([{ path, text }])
    assert.equal(problems.length, 1, text)
    assert.match(problems[0] ?? '', /^src\/brand\/a\.ts:1 ".+": remove the machine's path or package host$/)
  }
  for (const text of ['/workspace/a', 'https://example.com/work/a', '/tmp', './root/a', 'mkdtemp(tmpdir())']) {
    assert.deepEqual(findMachinePaths([{ path, text }]), [], text)
  }
})

test('a decision record needs its number, subject, status and three parts', () => {
  const parts = ['# 12. Title', '- Subject: Store', '- Status: accepted', '## Context', '## Choice', '## Consequences']
  const record = `${parts.join('\n')}\n`
  const problems = (text: string) => findIncompleteDecisions([{ path: 'docs/decisions/0012-a.md', text }])
  assert.deepEqual(problems(record), [])
  for (const part of parts) assert.equal(problems(record.replace(part, '')).length, 1, part)
  assert.deepEqual(problems(record.replace('# 12', '# 13')), [
    'docs/decisions/0012-a.md has no line that starts with "# 12."',
  ])
})
