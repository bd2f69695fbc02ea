import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runningService } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND } from '../../support/temporary-store.ts'

/*
 * The official conformance suite against a public guide, since the suite cannot send a token. Most of its scenarios call
 * tools, resources and prompts that a server would have to add for the suite. They are listed here by reason; the run
 * fails if another scenario fails, and also if a listed one passes.
 */
const FIXTURES = {
  tools:
    'tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress json-schema-2020-12',
  resources: 'resources-read-text resources-read-binary resources-templates-read',
}
/** Features that a server of published content does not offer. */
const PROMPTS =
  'prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image'
const FEATURES_2025 =
  'logging-set-level completion-complete tools-call-with-logging tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums resources-subscribe resources-unsubscribe'
const FEATURES_2026 =
  'completion-complete input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-non-tool-request input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check http-custom-header-server-validation'
const TASKS =
  'tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope tasks-required-task-error tasks-mrtr-composition'
/** Single checks that need fixture tools or prompts; all others of these scenarios pass. */
const CHECKS_2026 =
  'server-stateless:sep-2575-server-rejects-undeclared-capability server-stateless:sep-2575-missing-capability-http-400 server-stateless:sep-2575-http-server-no-independent-requests-on-stream server-stateless:sep-2575-server-no-log-without-loglevel caching:sep-2549-prompts-list-caching-hints'

/** A warning, which the suite counts like a failure: replies are whole JSON instead of streams, as the protocol allows. */
const STREAMS = 'server-sse-multiple-streams'
/** Warnings about features that are not offered. */
const WARNINGS_2026 = 'input-required-result-missing-input-response input-required-result-ignore-extra-params'

const OF_2025 = [STREAMS, FIXTURES.tools, FIXTURES.resources, PROMPTS, FEATURES_2025]
const OF_2026 = [WARNINGS_2026, FIXTURES.tools, FIXTURES.resources, PROMPTS, FEATURES_2026, TASKS, CHECKS_2026]

const temporary = await publishedStore('acme/guidelines', SMALL_BRAND)
const { url } = await runningService(temporary)
const require = createRequire(import.meta.url)

for (const [name, suite, args, expected] of [
  [
    'the 2025 revisions, by the released suite',
    require.resolve('conformance-2025/package.json'),
    ['--suite', 'active'],
    OF_2025,
  ],
  [
    'revision 2025-11-25',
    require.resolve('@modelcontextprotocol/conformance/package.json'),
    ['--requirements', '2025-11-25'],
    OF_2025,
  ],
  [
    'revision 2026-07-28',
    require.resolve('@modelcontextprotocol/conformance/package.json'),
    ['--requirements', '2026-07-28'],
    OF_2026,
  ],
] as const)
  test(`a public guide conforms to ${name}, except for fixtures and features that it does not have`, async () => {
    const list = join(temporary.folder, 'expected.yml')
    const names = expected.join(' ').split(' ')
    await writeFile(list, `server:\n${names.map(each => `  - ${each}\n`).join('')}`)
    const address = `${url}/acme/guidelines/-/mcp`
    const program = join(suite, '../dist/index.js')
    const all = [program, 'server', '--url', address, '--expected-failures', list, ...args]
    const ran = spawn(process.execPath, all, { cwd: temporary.folder })
    const [output, [status]] = await Promise.all([text(ran.stdout), once(ran, 'close')])
    assert.equal(status, 0, output.slice(output.indexOf('=== SUMMARY')))
  })

for (const era of ['legacy', 'modern'])
  test(`the inspector finds nothing wrong with the schemas of the tools in strict mode, in its ${era} era`, async () => {
    const program = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
    const asked = ['--protocol-era', era, '--method', 'tools/list', '--strict', '--format', 'json']
    const address = `${url}/acme/guidelines/-/mcp`
    const ran = spawn(process.execPath, [program, '--cli', address, '--transport', 'http', ...asked], {
      cwd: temporary.folder,
      env: { ...process.env, HOME: temporary.folder },
    })
    const [output, complaint, [status]] = await Promise.all([text(ran.stdout), text(ran.stderr), once(ran, 'close')])
    assert.equal(status, 0, complaint)
    const names = JSON.parse(output).result.tools.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['search', 'fetch', 'list_pages', 'get_page', 'get_styles', 'list_files', 'lint'])
  })
