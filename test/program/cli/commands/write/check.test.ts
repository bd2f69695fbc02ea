import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { RULES } from '#brand/finding.ts'
import { needs } from '#test/support/programs.ts'
import { type Contents, folderWith } from '#test/support/temporary.ts'
import { golden } from '../../../../support/golden.ts'
import { housestyle } from '../../housestyle.ts'
import { session } from '../../session.ts'

const CONTENTS: Contents = {
  'a/pages/index.md': '# A\n\n[gone](gone.md)\n',
  'a/pages/50%, a:b.md': '[x](%1b%5D0;title%07%0Aline)',
  'a/files/new\nline.txt': '',
  'b/styles/colors.yaml': '- name: Ink\n  hex: #000000\n',
}
const folder = await folderWith(CONTENTS)

golden('cli/check', session)

test('check prints a SARIF 2.1.0 log with every rule and the location of each finding', async () => {
  const { status, stdout } = await housestyle(['check', folder, '--format', 'sarif'])
  assert.equal(status, 1)
  const log = JSON.parse(stdout)
  assert.deepEqual([log.version, log.runs.length], ['2.1.0', 1])
  assert.match(log.$schema, /sarif-2\.1\.0/)
  const [{ tool, results, columnKind, originalUriBaseIds }] = log.runs
  assert.deepEqual([tool.driver.name, columnKind], ['housestyle', 'utf16CodeUnits'])
  const { rules } = tool.driver
  const ids = rules.map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, Object.keys(RULES))
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

const WRONG: Contents = {
  'nova/pages/index.md': '# A\n\n[gone](gone.md)\n',
  'nova/styles/colors.yaml': '- name: Ink\n  hex: blue\n',
}

test('check groups findings by file on a terminal, errors first, with the text of each line', async () => {
  const root = await folderWith(WRONG)
  const { stdout } = await housestyle(['check'], { cwd: root }, { isOutTerminal: true })
  const seen = stdout.split('\n').map(line => line.replace(/(error|warning) .*/, '$1'))
  assert.deepEqual(seen, [
    'nova/styles/colors.yaml',
    '  nova/styles/colors.yaml:2 error',
    '      hex: blue',
    '',
    'nova/pages/index.md',
    '  nova/pages/index.md:3 warning',
    '      [gone](gone.md)',
    '',
  ])
})

test('annotations and SARIF have paths from the root of the repository, also in a worktree', async () => {
  for (const git of [{ '.git/HEAD': '' }, { '.git': 'gitdir: elsewhere\n' }] as const) {
    const root = await folderWith({ ...git, 'brand/nova/styles/colors.yaml': '- name: Ink\n  hex: blue\n' })
    const github = await housestyle(['check', 'nova', '--format', 'github'], { cwd: join(root, 'brand') })
    assert.match(github.stdout, /^::error file=brand\/nova\/styles\/colors\.yaml,line=2,/)
    const sarif = await housestyle(['check', '--format', 'sarif'], { cwd: join(root, 'brand') })
    assert.deepEqual(JSON.parse(sarif.stdout).runs[0].results[0].locations[0].physicalLocation.artifactLocation, {
      uri: 'brand/nova/styles/colors.yaml',
      uriBaseId: '%SRCROOT%',
    })
    const json = await housestyle(['check', 'brand', '--json'], { cwd: root })
    assert.equal(JSON.parse(json.stdout)[0].path, 'nova/styles/colors.yaml')
  }
})

test('check uses colours only on a terminal', async () => {
  const { stdout } = await housestyle(['check', folder], {}, { hasColor: { out: true, err: true } })
  assert.ok(stdout.includes('\u001b[31merror\u001b[39m'))
})

const corpus = fileURLToPath(new URL('../../../../../../shared/corpus/18f', import.meta.url))

test('a real brand guide has no error, and warnings about pictures, links, a family and old tags', {
  ...needs('../shared'),
}, async () => {
  const { status, stdout } = await housestyle(['check', corpus, '--json'])
  assert.equal(status, 0)
  const rules: string[] = JSON.parse(stdout).map(({ rule }: { rule: string }) => rule)
  const counts = Array.from(
    Map.groupBy(rules.toSorted(), rule => rule),
    ([rule, { length }]) => `${length} ${rule}`,
  )
  assert.deepEqual(counts, ['3 alt-missing', '1 font-family-missing', '2 link-broken', '12 template-tag'])
})

test('check advises a theme in one line of its text if a guide has colours and a logo, but none', async () => {
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const colors = '- { name: Lemon, hex: ffee00 }\n- { name: Deep Blue, hex: 112266 }\n'
  const pages = { 'guide/pages/index.md': '# Home\n' }
  const without = { ...pages, 'guide/styles/colors.yaml': colors, 'guide/files/brand logo.svg': logo }
  const advise = async (contents: Contents, ...args: string[]) => {
    const { status, stdout, stderr } = await housestyle(['check', '.', ...args], { cwd: await folderWith(contents) })
    assert.equal(status, 0)
    assert.doesNotMatch(stdout, /advice/)
    return stderr.split('\n').filter(line => line.includes('theme'))
  }
  const theme = 'theme: { logo: "files/brand logo.svg", accent: deep-blue }'
  assert.deepEqual(await advise(without), [
    `advice: for a website in the brand's look, write this into guide/project.yaml: ${theme}`,
  ])
  assert.deepEqual(await advise({ ...without, 'guide/project.yaml': `${theme}\n` }), [])
  const others = {
    'guide/files/a logo.emf': '\x01\0',
    'guide/files/logo-white.svg': logo,
    'guide/files/a logo reversed.svg': logo,
    'guide/files/files.yaml': 'a logo reversed.svg: { ground: deep-blue }\n',
    'guide/files/a logo.gif': 'GIF89a',
  }
  assert.match(`${await advise({ ...without, ...others })}`, /: theme: \{ logo: "files\/brand logo.svg", /)
  const mark = { 'guide/files/mark.svg': logo, 'guide/files/logo.txt': 'The logo is a mark.' }
  assert.deepEqual(await advise({ ...pages, 'guide/styles/colors.yaml': colors, ...mark }), [])
  assert.deepEqual(await advise({ ...pages, 'guide/files/logo.svg': logo }), [])
  for (const format of ['json', 'sarif', 'github']) assert.deepEqual(await advise(without, '--format', format), [])
  assert.deepEqual(await advise(without, '--strict', '--json'), [])
})
