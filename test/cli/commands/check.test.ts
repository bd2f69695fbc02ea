import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { RULES } from '../../../src/brand/finding.ts'
import { type Contents, folderWith } from '../../temporary.ts'
import { housestyle } from '../housestyle.ts'

const CONTENTS: Contents = {
  'a/pages/index.md': '# A\n\n[gone](gone.md)\n',
  'a/pages/50%, a:b.md': '[x](%1b%5D0;title%07%0Aline)',
  'a/files/new\nline.txt': '',
  'b/styles/colors.yaml': '- name: Ink\n  hex: #000000\n',
}
const folder = await folderWith(CONTENTS)

describe('check', () => {
  it('prints path:line severity rule message on stdout, a sum on stderr, and exits 1 for an error', async () => {
    const { status, stdout, stderr } = await housestyle(['check', folder])
    assert.equal(status, 1)
    assert.deepEqual(
      stdout.split('\n').map(line => line.split(' ').slice(0, 3).join(' ')),
      [
        'a/files/new\\u{a}line.txt:1 warning name-unusable',
        'a/pages/50%, a:b.md:1 warning',
        'a/pages/index.md:3 warning link-broken',
        'b/styles/colors.yaml:2 error value-unquoted',
        '',
      ],
    )
    for (const line of stdout.trimEnd().split('\n'))
      assert.match(line, /^\P{Cc}+:\d+ (error|warning) [a-z0-9-]+ \P{Cc}+$/u)
    assert.equal(stderr, '1 error, 3 warnings in a, b\n')
  })

  it('exits 0 where there are only warnings, and 1 with --strict', async () => {
    const warned = await folderWith({ 'pages/index.md': '[gone](gone)' })
    assert.equal((await housestyle(['check', warned])).status, 0)
    assert.equal((await housestyle(['check', warned, '--strict'])).status, 1)
    const clean = await folderWith({ 'pages/index.md': '' })
    assert.deepEqual(await housestyle(['check', '--strict'], { cwd: clean }), {
      status: 0,
      signal: null,
      stdout: '',
      stderr: 'no findings in acme\n',
    })
  })

  it('prints findings as JSON with exactly the keys that scripts rely on', async () => {
    const { status, stdout, stderr } = await housestyle(['check', folder, '--json'])
    assert.deepEqual([status, stderr], [1, ''])
    assert.deepEqual(await housestyle(['check', folder, '--format', 'json']).then(again => again.stdout), stdout)
    const findings = JSON.parse(stdout)
    for (const finding of findings)
      assert.deepEqual(Object.keys(finding), ['severity', 'rule', 'project', 'path', 'line', 'message'])
    const [unusable, , broken] = findings
    assert.deepEqual([unusable.path, unusable.line, unusable.project], ['a/files/new\nline.txt', null, 'a'])
    assert.deepEqual(
      [broken.path, broken.line, broken.severity, broken.rule],
      ['a/pages/index.md', 3, 'warning', 'link-broken'],
    )
  })

  it('prints a log of SARIF 2.1.0 that has every rule, and each finding at its place', async () => {
    const { status, stdout } = await housestyle(['check', folder, '--format', 'sarif'])
    assert.equal(status, 1)
    const log = JSON.parse(stdout)
    assert.deepEqual([log.version, log.runs.length], ['2.1.0', 1])
    assert.match(log.$schema, /sarif-2\.1\.0/)
    const [{ tool, results, columnKind, originalUriBaseIds }] = log.runs
    assert.deepEqual([tool.driver.name, columnKind], ['housestyle', 'utf16CodeUnits'])
    const { rules } = tool.driver
    assert.deepEqual(
      rules.map(({ id }: { id: string }) => id),
      Object.keys(RULES),
    )
    for (const { shortDescription, help, defaultConfiguration } of rules) {
      assert.ok(shortDescription.text !== '' && help.text !== '')
      assert.ok(['error', 'warning'].includes(defaultConfiguration.level))
    }
    assert.equal(results.length, 4)
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      assert.equal(rules[ruleIndex].id, ruleId)
      assert.ok(['error', 'warning'].includes(level) && message.text !== '')
      const [{ physicalLocation }] = locations
      assert.ok(physicalLocation.artifactLocation.uriBaseId in originalUriBaseIds)
      assert.match(physicalLocation.artifactLocation.uri, /^[\w./%~-]+$/)
      if (physicalLocation.region) assert.ok(Number.isInteger(physicalLocation.region.startLine))
    }
    assert.equal(results[1].locations[0].physicalLocation.artifactLocation.uri, 'a/pages/50%25%2C%20a%3Ab.md')
  })

  it('prints annotations that GitHub reads, one line each, with everything that would end one written out', async () => {
    const { stdout } = await housestyle(['check', folder, '--format', 'github'])
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, 4)
    for (const line of lines)
      assert.match(line, /^::(error|warning) file=[^,:]+(,line=\d+)?,title=[a-z0-9-]+::\P{Cc}+$/u)
    assert.match(lines[1] ?? '', /^::warning file=a\/pages\/50%25%2C a%3Ab\.md,line=1,title=link-broken::/)
  })

  it('colours on a terminal alone', async () => {
    const { stdout } = await housestyle(['check', folder], {}, { hasColor: { out: true, err: true } })
    assert.ok(stdout.includes('\u001b[31merror\u001b[39m'))
  })
})

const corpus = fileURLToPath(new URL('../../../../shared/corpus/18f', import.meta.url))

it('a real brand guide has no error and three warnings: two links that lead nowhere and one missing family', {
  skip: existsSync(corpus) ? false : `the folder ${corpus} is not there`,
}, async () => {
  const { status, stdout } = await housestyle(['check', corpus, '--json'])
  assert.equal(status, 0)
  const rules: string[] = JSON.parse(stdout).map(({ rule }: { rule: string }) => rule)
  assert.deepEqual(rules.toSorted(), ['font-family-missing', 'link-broken', 'link-broken'])
})
