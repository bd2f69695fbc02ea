import { errorCode } from '../base/error.ts'
import type { Log } from './log.ts'
import type { Tracing } from './trace-context.ts'

/** Starts tracing if the environment enables it. If OpenTelemetry is missing or fails, logs why and goes without. */
export async function openTracing(
  environment: Readonly<Partial<Record<string, string>>>,
  version: string,
  log: Log,
): Promise<Tracing | undefined> {
  if (!enablesTraces(environment)) return undefined
  try {
    const { startOpenTelemetry } = await import('./opentelemetry.ts')
    return startOpenTelemetry(environment, version, log)
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') log.error({}, NOT_INSTALLED)
    else log.error({ err: error }, 'traces are not sent: OpenTelemetry failed to start')
    return undefined
  }
}

/** The OpenTelemetry variables that set the destination of traces. */
const TARGETS = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

function enablesTraces(environment: Readonly<Partial<Record<string, string>>>): boolean {
  const { OTEL_SDK_DISABLED = '', OTEL_TRACES_EXPORTER = '' } = environment
  if (OTEL_SDK_DISABLED.trim().toLowerCase() === 'true') return false
  if (OTEL_TRACES_EXPORTER.trim() === 'none') return false
  return TARGETS.some(name => (environment[name] ?? '').trim() !== '')
}

const NOT_INSTALLED =
  'traces are not sent: OTEL_… variables enable them, but OpenTelemetry is not installed: run npm install @opentelemetry/api @opentelemetry/sdk-node, with --global if housestyle is installed globally'
