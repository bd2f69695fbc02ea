import type { Source } from './modules.ts'

/** Patterns of access to private parts of Node, V8, a library or the system, each with advice. */
const PRIVATE: readonly [pattern: RegExp, advice: string][] = [
  [/\bgetOwnPropertySymbols\b|\bReflect\.ownKeys\b|\bSymbol\.(?:for|keyFor)\b/, 'unexported symbols may change'],
  [
    /(?<=[\w$)\]!?])\.\s*_\w+|\[\s*['"`]_\w+|'_\w+' in \b|\bconst \{(?:[^}]*,)?\s*_\w+\s*[,:}]/,
    'members that start with _ are private',
  ],
  [
    /\bReflect\.(?!ownKeys)\w+/,
    'narrow the type and read the property directly, or call `field` in src/platform/base/object.ts',
  ],
  [/\bsetFlagsFromString\b|--expose[-_]internals\b|\bprocess\.binding\b/, 'do not change V8 or Node'],
  [/\/proc\//, 'use an API of Node'],
  [
    /\bconnection\.stream\b|\bprocessID\b|\bpool\.options\b/,
    'give pg its socket with the option `stream`, or ask the server in SQL',
  ],
  [/\bexecve\b/, 'end the process by its exit code or a signal'],
  [/\bAtomics\.wait\b/, 'wait with a timer: the process does nothing else meanwhile'],
  [/\bconsole\.\w+ =(?!=)/, 'do not change what other modules call'],
]

/** Allowed uses as `path use`, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/platform/base/object.ts Reflect.get': 'it reads one field of an untrusted value of any type',
  'src/intake/folder/open-folder.ts /proc/':
    'a path below an open folder is safe against links; Node has no openat, and imports are not on the request path',
  'src/platform/processes/oom-score.ts /proc/':
    'Node cannot set which process the system ends if memory is short; it is written once per child process',
  'src/platform/telemetry/metrics.ts /proc/':
    'an alert needs the numbers of descriptors, which Node does not know; only a scrape of /metrics reads them',
}

/** Uses of private parts without an entry in `ALLOWED`. Comments may mention them. */
export function findPrivateParts(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) =>
      /^\s*(?:\/[/*]|\*)/.test(line)
        ? []
        : PRIVATE.flatMap(([pattern, advice]) => {
            const use = pattern.exec(line)?.[0]
            return use === undefined || Object.hasOwn(ALLOWED, `${path} ${use}`)
              ? []
              : [`${path}:${at + 1} "${use}": ${advice}, or name it in ALLOWED with the reason`]
          }),
    ),
  )
}
