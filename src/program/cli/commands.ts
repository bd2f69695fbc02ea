import { SCOPES } from '#brand/contract/operations.ts'
import type { SettingName } from '#platform/settings/table.ts'
import { ALGORITHMS } from '#serving/access/keys/jose.ts'
import { type Command, commandGroup, type OptionTable, STORE_SETTINGS } from './command.ts'

const NAME_OPTION = { '--name <text>': 'its purpose, shown in lists' }

const TAKE_OPTION = {
  '--take <project...>':
    'fill this project although another source has filled it, as workspace/project; repeat for more',
}

const READ_SETTINGS: readonly SettingName[] = ['maxFile', 'maxItems']

/** The secrets have no flags, because other users can see the arguments of a process. */
const GIT_SETTINGS: readonly SettingName[] = ['git', 'ref', 'path', 'publish', 'gitKnownHosts', 'maxGit']

const SERVICE_SETTINGS: readonly SettingName[] = [
  'host',
  'port',
  'publicUrl',
  'hosts',
  ...STORE_SETTINGS,
  'limits',
  'rate',
  'ratePublic',
  'keySecret',
  'sessionHours',
  'sessionIdle',
  'book',
  'logEmail',
  'usage',
  'trust',
  'trustedProxies',
  'outgoingAllow',
  'smtp',
  'cacheTags',
  'maxConnections',
  'maxConnectionsPerAddress',
  'cache',
  'cors',
  ...READ_SETTINGS,
  ...GIT_SETTINGS,
  'edit',
  'editAuthor',
  'readyGrace',
  'log',
]

const SCOPE_OPTIONS: OptionTable = {
  '--scope <scope...>': `one of ${SCOPES.join(', ')}; repeat for more (default: all)`,
  '--project <id...>': 'a project that it may read; repeat for more (default: all)',
}

const ADDRESS_SETTINGS: readonly SettingName[] = ['publicUrl', 'host', 'port']

function hostHelp(result: string): string {
  return `the host of the service; with the port, it forms ${result} unless --public-url is set`
}

/** Every command, group by group, in the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  ...commandGroup('write', {
    'init [folder]': {
      summary: 'write a brand folder: a small one to start from, or one made of what you have',
      options: {
        '--from <source...>':
          'a folder, .zip, page (.md, .mdx, .html, .docx), guidelines in a .pdf, file with styles (.json, .tokens, .css, .ase, .aco, .gpl, .csv, or - for stdin), or address of a website or of another service, whose token is in HOUSESTYLE_FROM_TOKEN or the file in HOUSESTYLE_FROM_TOKEN_FILE; repeat for more',
        '--exclude <glob...>': 'leave these files of the sources out; repeat for more',
        '--pages <file...>':
          'read these PDFs of a folder or .zip as pages; repeat for more (default: its only PDF, if it has no other pages)',
        '--max-pages <number>': 'the most pages of a website (default: 500)',
        '--max-size <size>': 'the most bytes of a website: bytes, or with KiB, MiB, GiB (default: 1GiB)',
        '--with-hidden': 'take what the sources do not publish, too, such as drafts',
        '--tokens <group...>': 'take only these groups of tokens; repeat for more',
        '--force': 'write a guide that has nearly no text of its sources, too',
        '--dry-run': 'write nothing, and print the report',
      },
      settings: ['git', 'gitKnownHosts', 'maxGit', 'outgoingAllow'],
      settingHelp: {
        git: 'the repository of files in Git LFS, whose host gets HOUSESTYLE_GIT_TOKEN (default: the origin of a checkout, without the token)',
      },
      examples: [
        'acme',
        'acme --from ../handbook --exclude drafts',
        'acme --from guidelines.pdf',
        'acme --from logos.zip --from tokens.json --dry-run',
        'acme --from https://brand.example.com/guide',
        'acme --from https://brand.example.com/beta/workspace/acme',
      ],
      load: async () => (await import('./commands/write/init.ts')).run,
    },
    'check [folder]': {
      summary: 'find errors and doubtful places in a brand folder',
      options: {
        '--format <format>': 'text, json, sarif (2.1.0) or github (annotations)',
        '--strict': 'exit with 1 for warnings too',
        '--exports': 'also find problems of exports: missing CMYK, font licences, …',
        '--fix': 'show how to spell Pantone references as libraries of inks do, as a diff',
        '--write': 'with --fix: change the files',
      },
      json: 'the same as --format json',
      settings: READ_SETTINGS,
      examples: [
        '',
        './acme --strict',
        './acme --exports',
        './acme --fix --write',
        './acme --format sarif > findings.sarif',
      ],
      load: async () => (await import('./commands/write/check.ts')).run,
    },
    'translate mark <folder> [pages...]': {
      summary: 'mark pages of a translation, or of all in a brand folder, as translated from the current original',
      settings: READ_SETTINGS,
      examples: ['./acme/guidelines-de', './acme/guidelines-de logo logo/misuse', './acme'],
      load: async () => (await import('./commands/translate.ts')).mark,
    },
    'lint <paths...>': {
      summary: 'find what is not on brand in websites, decks, documents, SVGs and design tokens, and old files',
      options: {
        '--brand <project>': 'the brand to compare with, as workspace/project',
        '--folder <folder>': 'read the brand from a folder, not from the store',
        '--format <format>': 'text, json, sarif (2.1.0), github (annotations) or markdown (for a pull request)',
        '--strict': 'exit with 1 for warnings too',
        '--all': 'also list findings in built or vendored style sheets and in logos of other firms',
        '--print': 'judge all PDFs as files for print; other files as usual',
        '--screen':
          'judge all PDFs as files for screens; without both, spot colours or a CMYK profile make one a file for print',
        '--baseline <file>': 'leave out the findings that a file lists',
        '--write-baseline <file>': 'write all findings to a file, for --baseline',
        '--fix': 'show how to replace almost right colours, as a diff; the rest remains',
        '--write': 'with --fix: change the files',
      },
      json: 'the same as --format json',
      settings: [...STORE_SETTINGS, ...READ_SETTINGS, ...ADDRESS_SETTINGS],
      settingHelp: { host: hostHelp('the addresses of files') },
      examples: [
        'site --brand acme/guidelines',
        'deck.pptx logo.svg --brand acme/guidelines --folder ./acme',
        'src --brand acme/guidelines --write-baseline lint.json',
        'src --brand acme/guidelines --fix',
        'site --brand acme/guidelines --all',
      ],
      load: async () => (await import('./commands/lint/lint.ts')).run,
    },
  }),
  ...commandGroup('publish', {
    'import <folder>': {
      summary: 'read a brand folder into drafts; publications do not change',
      options: {
        '--dry-run': 'show the changes without saving them',
        '--workspace <id>': 'refuse a folder of any other workspace',
        ...TAKE_OPTION,
      },
      settings: [...STORE_SETTINGS, ...READ_SETTINGS],
      examples: ['./acme', './acme --dry-run --json', './acme --workspace acme'],
      load: async () => (await import('./commands/publish/import.ts')).run,
    },
    pull: {
      summary: 'import the followed git repositories now, and publish their projects',
      options: { '--status': 'only show the last pull of each, and why it failed', ...TAKE_OPTION },
      settings: [...GIT_SETTINGS, 'outgoingAllow', ...STORE_SETTINGS, ...READ_SETTINGS, 'log'],
      examples: ['', '--status --json', '--git https://github.com/acme/brand.git --path brand/'],
      load: async () => (await import('./commands/publish/pull.ts')).run,
    },
    'publish [projects...]': {
      summary: 'publish drafts: save them as revisions and serve these',
      options: {
        '--all': 'publish every project',
        '--approved': 'only if the draft is approved and no one asks for changes; --all skips the others',
        '--note <text>': 'a note for the history, which the page of changes shows',
        '--at <time>': 'publish at this time, such as 2026-12-01T09:00Z, while a service runs',
        '--cancel': 'cancel the publication at a time',
        '--yes': 'also over an open request for changes; without it, the command asks',
      },
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme/guidelines --note "New logo"', '--all'],
      load: async () => (await import('./commands/publish/publish.ts')).run,
    },
    'status [place]': {
      summary: 'show all projects with their drafts, publications and dates',
      examples: ['', 'acme', 'acme/guidelines --json'],
      load: async () => (await import('./commands/publish/publish.ts')).listStates,
    },
    'diff <project> [from] [to]': {
      summary: 'show differences between revision numbers, draft or published (default: published → draft)',
      examples: ['acme/guidelines', 'acme/guidelines 3 published --json'],
      load: async () => (await import('./commands/publish/diff.ts')).run,
    },
    'history <project>': {
      summary: 'show the revisions of a project, newest first',
      examples: ['acme/guidelines'],
      load: async () => (await import('./commands/publish/publish.ts')).list,
    },
    'usage <project>': {
      summary: 'show how often pages, files and exports were requested, and searches without a result',
      options: {
        '--days <n>': 'the last days, today included (default: 30)',
        '--since <date>': 'the first day, as in 2026-11-01',
        '--csv': 'print the count of each day as a table for spreadsheets',
      },
      examples: [
        'acme/guidelines --days 7',
        'acme/guidelines --since 2026-11-01 --csv > usage.csv',
        'acme/guidelines --json',
      ],
      load: async () => (await import('./commands/publish/projects.ts')).usage,
    },
    'export [project]': {
      summary: 'write the brand in a format for other tools',
      options: {
        '--to <format>': 'the format: see --list',
        '--out <path>': 'the file, or the folder of a format of several files (default: stdout)',
        '--revision <number>': 'an earlier revision (default: the published one)',
        '--folder <folder>': 'export a brand folder directly, without a store',
        '--prefix <name>': 'the prefix of variable names',
        '--copy': 'also copy the files that a style sheet or _brand.yml uses',
        '--private': 'with site: copy a private project, which anyone with the folder can then read',
        '--chromium <path>': 'with pdf: the browser that prints (default: the Chromium in PATH)',
        '--landscape': 'with pdf: pages in landscape (default: portrait)',
        '--list': 'list the formats',
      },
      settings: [...STORE_SETTINGS, ...ADDRESS_SETTINGS, ...READ_SETTINGS],
      settingHelp: { host: hostHelp('the addresses in files') },
      examples: [
        '--list',
        'acme/guidelines --to json',
        '--folder ./acme --to json --out styles.json',
        'acme/guidelines --to site --out ./acme-site',
        'acme/guidelines --to pdf --landscape --out guide.pdf',
      ],
      load: async () => (await import('./commands/export/export.ts')).run,
    },
    'rollback <project> [revision]': {
      summary: 'publish an earlier revision again as a new one; the draft does not change',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme/guidelines', 'acme/guidelines 3'],
      load: async () => (await import('./commands/publish/publish.ts')).rollback,
    },
    'retract <project> <revision>': {
      summary: 'retract a revision: it is no longer served, but stays in the history',
      examples: ['acme/guidelines 3'],
      load: async () => (await import('./commands/publish/publish.ts')).retract,
    },
    'unpublish <project>': {
      summary: 'stop serving a project; keep its draft and history',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme/guidelines'],
      load: async () => (await import('./commands/publish/projects.ts')).unpublish,
    },
    'copy <source> <target>': {
      summary: 'copy a project (draft and publication) to a new or existing one',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme/guidelines acme/spring', 'acme/guidelines agency/acme'],
      load: async () => (await import('./commands/publish/projects.ts')).copy,
    },
    'delete <project>': {
      summary: 'delete a project, its draft and its history',
      options: { '--yes': 'do not ask' },
      examples: ['acme/spring', 'acme/spring --yes'],
      load: async () => (await import('./commands/publish/projects.ts')).remove,
    },
  }),
  ...commandGroup('serve', {
    'serve [folder]': {
      summary: 'run the service; with a folder, import and publish it first',
      options: {
        '--print-token': 'also print links to private projects and a curl command with a token, valid for an hour',
        ...TAKE_OPTION,
      },
      json: 'print a line of JSON for each event',
      settings: SERVICE_SETTINGS,
      examples: [
        '',
        './acme --print-token',
        '--git https://github.com/acme/brand.git',
        '--host 0.0.0.0 --public-url https://brand.example.com',
      ],
      load: async () => (await import('./commands/serve/serve.ts')).run,
    },
    'mcp [folder]': {
      summary:
        'answer an agent over standard input and output, about a brand folder or the published projects of a store',
      options: { '--workspace <id>': 'the workspace, if the store has several' },
      json: null,
      settings: [...STORE_SETTINGS, ...ADDRESS_SETTINGS, ...READ_SETTINGS],
      settingHelp: { host: hostHelp('the addresses in results about a store') },
      examples: ['./acme', '--data /srv/housestyle --workspace acme'],
      load: async () => (await import('./commands/serve/mcp.ts')).run,
    },
    'dev [folder]': {
      summary: 'preview a brand folder (default: this one) while you write: it shows each save at once',
      options: {
        '--open': 'open the website in a browser',
        '--print-token': 'also print a curl command with a token, valid for a day',
        '--rate <n/seconds>': 'requests/seconds for a workspace, such as 600/60 (default: off)',
      },
      json: 'print a line of JSON for each event',
      settings: ['host', 'port', 'cors', ...READ_SETTINGS, 'log'],
      examples: ['', './acme --open', './acme --port 0 --json'],
      load: async () => (await import('./commands/serve/dev.ts')).run,
    },
  }),
  ...commandGroup('access', {
    'token issue <workspace>': {
      summary: 'issue an access token; it is printed once and not stored',
      options: {
        ...SCOPE_OPTIONS,
        '--expires <duration>': { help: 'how long it is valid: 30s, 15m, 1h, up to 366d', default: '1h' },
      },
      settings: [...STORE_SETTINGS, 'publicUrl', 'keySecret', 'log'],
      examples: ['acme', 'acme --scope styles.read --expires 30d'],
      load: async () => (await import('./commands/access/token.ts')).issue,
    },
    'token list [workspace]': {
      summary: 'list the ids of issued tokens; the tokens themselves are not stored',
      examples: ['', 'acme --json'],
      load: async () => (await import('./commands/access/token.ts')).list,
    },
    'token revoke <jti>': {
      summary: 'revoke a token immediately, in every process; - reads a whole token on stdin',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['038f31e1-49a4-4429-8467-aec9c52f6f95', '- < token.txt'],
      load: async () => (await import('./commands/access/token.ts')).revoke,
    },
    'client create <workspace>': {
      summary: 'create a client that may request tokens; its secret is shown once',
      options: {
        ...SCOPE_OPTIONS,
        '--redirect-uri <uri...>':
          'let people connect it, which returns them to this address; repeat for more (it then has no secret)',
        ...NAME_OPTION,
      },
      settings: [...STORE_SETTINGS, 'log'],
      examples: [
        'acme --name "Label printer"',
        'acme --scope styles.read --json',
        'acme --redirect-uri https://notes.example/callback',
      ],
      load: async () => (await import('./commands/access/client.ts')).create,
    },
    'client list [workspace]': {
      summary: 'list the clients and their scopes',
      examples: ['', 'acme --json'],
      load: async () => (await import('./commands/access/client.ts')).list,
    },
    'client update <id>': {
      summary: 'change the scopes, projects or name of a client; this also limits its existing tokens',
      options: {
        '--scope <scope...>': `one of ${SCOPES.join(', ')}; repeat for more`,
        '--project <id...>': 'a project that it may read; repeat for more',
        '--all-projects': 'let it read all projects',
        ...NAME_OPTION,
      },
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme-0f3a9c21b7de --project guidelines', 'acme-0f3a9c21b7de --scope files.read --all-projects'],
      load: async () => (await import('./commands/access/client.ts')).update,
    },
    'client delete <id>': {
      summary: 'delete a client and revoke its tokens immediately',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme-0f3a9c21b7de'],
      load: async () => (await import('./commands/access/client.ts')).remove,
    },
    'connection list <workspace>': {
      summary: 'list the programs that people let read for them',
      examples: ['acme', 'acme --json'],
      load: async () => (await import('./commands/access/client.ts')).listConnections,
    },
    'connection end <id>': {
      summary: 'end a connection and revoke its tokens immediately',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['5f0c2b7e91d84a3c6e1f7a2b9c0d4e8f'],
      load: async () => (await import('./commands/access/client.ts')).endConnection,
    },
    'webhook create <workspace> <url>': {
      summary:
        'send signed messages about publications and rights to files to an https address; the secret is shown once',
      options: { '--project <id>': 'only for this project (default: all)' },
      settings: [...STORE_SETTINGS, 'keySecret', 'outgoingAllow', 'log'],
      examples: ['acme https://hooks.example.com/brand', 'acme https://example.com/hook --project guidelines'],
      load: async () => (await import('./commands/access/webhook.ts')).create,
    },
    'webhook list [workspace]': {
      summary: 'list the webhooks, and which of them fail or are disabled',
      examples: ['', 'acme --json'],
      load: async () => (await import('./commands/access/webhook.ts')).list,
    },
    'webhook test <id>': {
      summary: 'send a signed test message now; a success enables a disabled webhook',
      settings: [...STORE_SETTINGS, 'keySecret', 'outgoingAllow', ...ADDRESS_SETTINGS],
      settingHelp: {
        host: 'the host of the service; with the port, it forms the public URL, which webhooks must not name',
      },
      examples: ['9b1f0a6c2e47d835'],
      load: async () => (await import('./commands/access/webhook.ts')).test,
    },
    'webhook deliveries <id>': {
      summary: 'list the messages of a webhook of the last 30 days, newest first',
      options: { '--failed': 'only messages whose latest attempt failed' },
      examples: ['9b1f0a6c2e47d835', '9b1f0a6c2e47d835 --failed --json'],
      load: async () => (await import('./commands/access/webhook.ts')).deliveries,
    },
    'webhook replay <id> <webhook-id>': {
      summary: 'send a message again, with the same id and content, even if it was delivered',
      examples: ['9b1f0a6c2e47d835 5c0de1f2a3b4c5d6e7f80910'],
      load: async () => (await import('./commands/access/webhook.ts')).replay,
    },
    'webhook rotate <id>': {
      summary: 'replace the secret of a webhook; for a day, messages are signed with both',
      settings: [...STORE_SETTINGS, 'keySecret', 'log'],
      examples: ['9b1f0a6c2e47d835'],
      load: async () => (await import('./commands/access/webhook.ts')).rotate,
    },
    'webhook delete <id>': {
      summary: 'delete a webhook and its messages',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['9b1f0a6c2e47d835'],
      load: async () => (await import('./commands/access/webhook.ts')).remove,
    },
    'keys list': {
      summary: 'list the keys that sign tokens',
      examples: [''],
      load: async () => (await import('./commands/access/token.ts')).listKeys,
    },
    'keys rotate': {
      summary: 'create a key for new tokens; existing tokens stay valid',
      options: { '--algorithm <name>': { help: `one of ${ALGORITHMS.join(', ')}`, default: 'ES256' } },
      settings: [...STORE_SETTINGS, 'keySecret', 'log'],
      examples: ['', '--algorithm RS256'],
      load: async () => (await import('./commands/access/token.ts')).rotateKey,
    },
    'keys retire <kid>': {
      summary: 'retire a key and revoke its tokens immediately',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['"$KID"'],
      load: async () => (await import('./commands/access/token.ts')).retireKey,
    },
    'share <project>': {
      summary: 'create a link to the website of a private project, or to its draft; it is printed once and not stored',
      options: {
        '--draft': 'open the draft for reviewers, and not the published guide',
        '--may-approve': 'with --draft: readers with this link may also approve the draft',
        '--expires <duration>': { help: 'how long it is valid: 15m, 1h, 30d, up to 366d', default: '30d' },
        '--name <text>': 'its recipient, whom the website greets by this name',
        '--open': 'open the link in a browser',
      },
      settings: [...STORE_SETTINGS, ...ADDRESS_SETTINGS, 'log'],
      settingHelp: { host: hostHelp('the address in the link') },
      examples: [
        'acme/guidelines --name "Studio Nord"',
        'acme/guidelines --expires 7d --open',
        'acme/guidelines --draft --may-approve --name "Head of brand"',
      ],
      load: async () => (await import('./commands/access/share.ts')).create,
    },
    'share list [place]': {
      summary: 'list the ids of share links; the links themselves are not stored',
      examples: ['', 'acme/guidelines --json'],
      load: async () => (await import('./commands/access/share.ts')).list,
    },
    'share revoke <id>': {
      summary: 'revoke a link immediately, even for people who have opened it',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['1f0c6a4be28d7395'],
      load: async () => (await import('./commands/access/share.ts')).revoke,
    },
    'host add <host> <place>': {
      summary: 'give a guide or a workspace its own host, at whose root its addresses begin',
      settings: [...STORE_SETTINGS, 'publicUrl', 'hosts', 'log'],
      examples: ['brand.example.com acme/guidelines', 'brands.example.com acme'],
      load: async () => (await import('./commands/access/host.ts')).add,
    },
    'host list': {
      summary: 'list the hosts of guides and workspaces: of the store, and of housestyle.yaml',
      settings: [...STORE_SETTINGS, 'publicUrl', 'hosts'],
      examples: ['', '--json'],
      load: async () => (await import('./commands/access/host.ts')).list,
    },
    'host remove <host>': {
      summary: 'remove a host; its guide or workspace is at the public URL again',
      settings: [...STORE_SETTINGS, 'publicUrl', 'hosts', 'log'],
      examples: ['brand.example.com'],
      load: async () => (await import('./commands/access/host.ts')).remove,
    },
    'signin add <workspace>': {
      summary: 'let people of an issuer, or behind a proxy, sign in to the website',
      options: {
        '--issuer <url>': 'the OpenID Connect issuer, or the issuer in the tokens of a proxy',
        '--client-id <id>': 'the id of the client registered at the issuer',
        '--client-secret-file <file>': 'a file with the secret of the client (default: a public client)',
        '--allow-domain <domain...>':
          'let people with a verified address of this domain see all projects; repeat for more',
        '--allow-email <address...>': 'let the person with this verified address see all projects; repeat for more',
        '--allow-group <group...>':
          'let members of a group see all projects, or some: designers=web,print; repeat for more',
        '--groups-claim <name>': { help: 'the claim that lists the groups of a person', default: 'groups' },
        '--drafts': 'let these people also see drafts',
        '--manage': 'let these people also see drafts, publish, and share links, in the browser',
        '--manage-group <group...>':
          'let members of a group manage all projects, or some: editors=web,print; repeat for more',
        '--edit': 'let these people also see drafts, and edit, in the browser',
        '--edit-group <group...>':
          'let members of a group edit all projects, or some: writers=web,print; repeat for more',
        '--proxy-header <name>': 'accept the signed JWT in this header instead: Cf-Access-Jwt-Assertion, …',
        '--jwks <url>': 'with --proxy-header: the address of the keys of the proxy',
        '--audience <text>': 'with --proxy-header: the audience in its tokens',
        '--name <text>': 'its name on the page where people choose an issuer (default: the issuer)',
      },
      settings: [...STORE_SETTINGS, 'keySecret', ...ADDRESS_SETTINGS, 'log'],
      settingHelp: {
        keySecret: 'encrypts the secret of the client in the store (default: file permissions protect it)',
        host: hostHelp('the redirect address'),
      },
      examples: ['acme --issuer "$URL" --client-id web --allow-group staff'],
      load: async () => (await import('./commands/access/signin.ts')).add,
    },
    'signin list [workspace]': {
      summary: 'list the issuers whose people may sign in, and the rules for them',
      examples: ['', 'acme --json'],
      load: async () => (await import('./commands/access/signin.ts')).list,
    },
    'signin test <id>': {
      summary: 'check that an issuer, or all of a workspace, can be used, and print the addresses to register there',
      settings: [...STORE_SETTINGS, 'keySecret', ...ADDRESS_SETTINGS],
      settingHelp: { host: hostHelp('the redirect address') },
      examples: ['acme', '3f2c9a81d07b4e56 --public-url https://brand.example.com'],
      load: async () => (await import('./commands/access/signin.ts')).test,
    },
    'signin remove <id>': {
      summary: 'remove an issuer and end the sessions of its people, and the share links that they made, immediately',
      options: { '--keep-links': 'keep the share links that these people made' },
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['3f2c9a81d07b4e56'],
      load: async () => (await import('./commands/access/signin.ts')).remove,
    },
    'signin sessions <workspace>': {
      summary: 'list the people who are signed in',
      settings: [...STORE_SETTINGS, 'sessionIdle'],
      examples: ['acme', 'acme --json'],
      load: async () => (await import('./commands/access/signin.ts')).sessions,
    },
    'signin end [person]': {
      summary: 'sign out a person, by e-mail address or session id, and their agents immediately in all workspaces',
      options: {
        '--all': 'sign out everyone',
        '--keep-links': 'keep the share links that these people made',
      },
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['anna@example.com', '--all'],
      load: async () => (await import('./commands/access/signin.ts')).end,
    },
    'files rotate <project>': {
      summary: 'give the files of a project new addresses; the old ones stop working immediately',
      settings: [...STORE_SETTINGS, 'log'],
      examples: ['acme/guidelines'],
      load: async () => (await import('./commands/publish/projects.ts')).rotate,
    },
  }),
  ...commandGroup('upkeep', {
    gc: {
      summary: 'delete unreferenced content, and with --keep also old revisions',
      options: {
        '--keep <amount...>':
          'revisions to keep: a number (100), a time (365d), or both to keep what matches either; published revisions are always kept (default: keep all)',
        '--dry-run': 'show what would be freed without freeing it',
      },
      examples: ['', '--keep 100 --dry-run', '--keep 20 --keep 365d'],
      load: async () => (await import('./commands/upkeep.ts')).collectGarbage,
    },
    'backup <file>': {
      summary: 'write the whole store into one file; keep it safe, because it contains the signing keys',
      examples: ['housestyle.tar', '/mnt/backups/housestyle.tar --data /var/lib/housestyle'],
      load: async () => (await import('./commands/upkeep.ts')).backup,
    },
    'restore <file>': {
      summary: 'restore a backup into an empty data folder',
      examples: ['housestyle.tar', 'housestyle.tar --data ./restored'],
      load: async () => (await import('./commands/upkeep.ts')).restore,
    },
    doctor: {
      summary: 'find problems of the store and show how to fix them',
      settings: [...STORE_SETTINGS, 'limits', 'keySecret', 'smtp', 'outgoingAllow', 'publicUrl', 'book'],
      settingHelp: { keySecret: 'decrypts the signing keys of the store, to try them' },
      examples: ['', '--json'],
      load: async () => (await import('./commands/upkeep.ts')).examine,
    },
  }),
]

export const FIRST_WORDS: Readonly<Record<string, string>> = {
  translate: 'keep translations current',
  token: 'issue, list and revoke access tokens',
  client: 'manage clients that may request tokens',
  connection: 'manage the programs that people let read for them',
  webhook: 'send signed messages about publications and rights to files to other programs',
  keys: 'manage the keys that sign tokens',
  host: 'manage the hosts of guides and workspaces',
  signin: 'manage who may sign in to the website, and sign people out',
  files: 'manage the addresses of files',
}
