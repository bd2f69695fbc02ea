import type { Source } from './rooms.ts'

/** Ways into the private parts of Node, V8, a library or the system, each with the public way instead. */
const PRIVATE: readonly [pattern: RegExp, advice: string][] = [
  [/\bgetOwnPropertySymbols\b|\bReflect\.ownKeys\b|\bSymbol\.(?:for|keyFor)\b/, 'unexported symbols may change'],
  [
    /(?<=[\w$)\]!?])\.\s*_\w+|\[\s*['"`]_\w+|'_\w+' in \b|\bconst \{(?:[^}]*,)?\s*_\w+\s*[,:}]/,
    'members that start with _ are private',
  ],
  [/\bReflect\.(?!ownKeys)\w+/, 'narrow the type and use plain access, or call `field` in src/base/object.ts'],
  [/\bsetFlagsFromString\b|--expose[-_]internals\b|\bprocess\.binding\b/, 'leave V8 and Node as they are'],
  [/\/proc\//, 'ask Node'],
]

/** Uses that src may have, `path use`, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/base/object.ts Reflect.get': 'it reads one field of an untrusted value, whatever its type',
  'src/intake/folder/open-folder.ts /proc/':
    'a path below an open folder is safe against links; Node has no openat, and imports are not on the request path',
  'src/processes/sandbox.ts /proc/': 'a child is limited by its processor time, and Node measures only its own process',
  'src/store/database/postgres/server.ts Reflect.get': 'pg documents `processID`, but its published types lack it',
}

/** Places that use a private part without an entry in `ALLOWED`. Comments may name one. */
export function privateParts(sources: readonly Source[]): string[] {
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
