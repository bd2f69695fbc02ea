import { errorCode } from '../base/error.ts'
import type { Log } from './log.ts'
import type { Tracing } from './tracing.ts'

/**
 * Begins to trace if the environment asks for it. OpenTelemetry is loaded only then. If it is not installed or does not
 * start, the log says so, and there are no traces: they are no reason not to serve.
 */
export async function openTracing(
  environment: Readonly<Partial<Record<string, string>>>,
  version: string,
  log: Log,
): Promise<Tracing | undefined> {
  if (!asksForTraces(environment)) return undefined
  try {
    const { startOpenTelemetry } = await import('./opentelemetry.ts')
    return startOpenTelemetry(environment, version, log)
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') log.error({}, NOT_INSTALLED)
    else log.error({ err: error }, 'traces are not sent: OpenTelemetry does not start')
    return undefined
  }
}

/** The variables of OpenTelemetry that say where traces go. */
const TARGETS = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/**
 * Whether the variables of OpenTelemetry ask for traces: one names where they go (`TARGETS`), and none says not to
 * (`OTEL_SDK_DISABLED=true`, `OTEL_TRACES_EXPORTER=none`).
 */
function asksForTraces(environment: Readonly<Partial<Record<string, string>>>): boolean {
  const { OTEL_SDK_DISABLED = '', OTEL_TRACES_EXPORTER = '' } = environment
  if (OTEL_SDK_DISABLED.trim().toLowerCase() === 'true') return false
  if (OTEL_TRACES_EXPORTER.trim() === 'none') return false
  return TARGETS.some(name => (environment[name] ?? '').trim() !== '')
}

const NOT_INSTALLED =
  'traces are not sent: OTEL_… variables ask for them, and OpenTelemetry is not installed: npm install @opentelemetry/api @opentelemetry/sdk-node, with --global if housestyle is'
