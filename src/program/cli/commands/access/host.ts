import { quote } from '#platform/base/text.ts'
import { parseHostName, parseHostTarget } from '#platform/settings/hosts.ts'
import { addHost, endHost, hostStates } from '#serving/access/hosts.ts'
import { type Arguments, operand, type Run } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import { inStore } from '../../in-store.ts'
import { listOutput } from '../../output/output.ts'
import { visible } from '../../output/text.ts'
import { serviceAddress } from '../../service-address.ts'
import { withAccess } from './family.ts'

export const add: Run = (args, io) => {
  const host = hostOperand(args)
  const place = operand(args, 1)
  const target = parseHostTarget(place)
  if (!target) throw new CommandFailure('usage', `${quote(place)} is not a place: write acme/guidelines, or acme`)
  return withAccess(args, io, async ({ access, store, settings, now }) => {
    if (settings.hosts.has(host)) throw inSettings(host)
    if (new URL(await serviceAddress(store, args, settings)).hostname === host)
      throw new CommandFailure('usage', `${quote(host)} is the host of the public URL: name another one`)
    unwrap(await addHost(access, host, target, now))
    const note = `${host} serves ${place}, until \`housestyle host remove ${host}\`\n`
    const { workspace, project = null } = target
    return { json: { host, place, workspace, project }, text: `${host}\n`, note }
  })
}

function inSettings(host: string): CommandFailure {
  return new CommandFailure('usage', `${quote(host)} is in the settings, which count: change hosts: in housestyle.yaml`)
}

export const list: Run = (args, io) =>
  inStore(args, io, async ({ store, settings }) => {
    const service = await serviceAddress(store, args, settings)
    const records = await hostStates(store.database, settings.hosts, service)
    const output = listOutput(records, ({ host, place, source }) => [host, place, source].map(visible), NO_HOSTS)
    const problems = records.flatMap(({ host, problem }) =>
      problem === undefined ? [] : `${visible(host)} ${problem}\n`,
    )
    return { ...output, ...(problems.length > 0 && { note: problems.join('') }) }
  })

const NO_HOSTS = 'there are no hosts: add one with `housestyle host add`\n'

export const remove: Run = (args, io) => {
  const [text = ''] = args.operands
  return withAccess(args, io, async ({ access, settings }) => {
    const isRemoved = await endHost(access, text) // Also a damaged one, whose name could not be added.
    const host = isRemoved ? text : hostOperand(args)
    if (isRemoved || (await endHost(access, host))) return { json: { host, done: true }, text: `${host}: removed\n` }
    if (settings.hosts.has(host)) throw inSettings(host)
    throw new CommandFailure('not_found', `there is no host ${quote(host)}: see \`housestyle host list\``)
  })
}

function hostOperand({ operands: [text = ''] }: Arguments): string {
  const host = parseHostName(text)
  if (host !== undefined) return host
  const form = 'write a name as in brand.example.com, without scheme, port and path; no IP address and not localhost'
  throw new CommandFailure('usage', `${quote(text)} is not a host: ${form}`)
}
