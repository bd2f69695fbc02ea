import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Platform } from '../../client/src/platform.ts'
import { localServer } from '../support/local-server.ts'

/** A platform whose clock only changes when a test sets it, and which records pauses instead of waiting. */
export type TestPlatform = Platform & { clock: { now: number }; pauses: number[] }

export function testPlatform(timeout = 20_000): TestPlatform {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const pauses: number[] = []
  return {
    fetch,
    timeout,
    clock,
    pauses,
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
    },
  }
}

/** A server that answers each request as the test says, and records the requests. */
export type ScriptedServer = { url: string; requests: IncomingMessage[]; stop: () => Promise<void> }

export async function scriptedServer(
  answer: (response: ServerResponse, request: IncomingMessage, count: number) => void,
): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => answer(response, request, requests.push(request))
  return { ...(await localServer(listener)), requests }
}
