/**
 * The test files that `npm test` leaves out and `npm run test:rest` runs, below `test/`, each with the reason of its
 * group. Their names end in `.slow.test.ts`.
 */
export const SLOW_TESTS: readonly { why: string; files: readonly string[] }[] = [
  {
    why: 'several nodes share a store, and lose each other, their database, bucket or limits',
    files: named('nodes/commands nodes/front nodes/postgres nodes/stores nodes/time'),
  },
  {
    why: 'commands and services are killed, or their disk, database or limits fail, at each step',
    files: named(`
      delivery/events/webhooks/sender.killed publishing/copy.killed publishing/git/pull/pull.killed
      serving/access/limit/limit-with-fallback.faults serving/downloads/verified-files.serve
      serving/health/damage-monitor.serve store/store.crash store/store.faults store/upkeep/backup.killed
      store/upkeep/restore.killed
    `),
  },
  {
    why: 'the package, its commands as the documentation shows them, and ways to deploy it',
    files: named(`
      client/client.package deploy/nginx docs/commands action deploy/brand-update deploy/systemd docs/access
      docs/publishing docs/push-to-publish docs/reverse-proxy package release
    `),
  },
  {
    why: 'stores of released versions, and two versions on one store',
    files: named(`
      released-stores store/catalogue/picture-facts store/database/migrate.rolling
    `),
  },
  {
    why: 'response times, floods and memory, which need many requests',
    files: named(`delivery/api/answer.timing serving/access/token/token-verifier.flood`),
  },
  {
    why: 'buckets, with the servers that keep them',
    files: named(`
      store/files/files-s3 store/shared-store.s3 store/upkeep/restore-shared
    `),
  },
  {
    why: 'most tests in a browser; the others have a journey on each kind of page',
    files: named(`
      adopt/printed/read-document people/editor/script/edit.browser people/manage/routes.accessible.browser program/cli/commands/serve/dev.browser
      site/library/colors/colors-view.browser site/library/files/files-view.browser
      site/library/files/versions.browser site/library/type/faces/frame-fonts.browser
      site/library/type/type-view.browser site/pages/linked-media.browser site/layout/head.browser site/layout/layout.sidebar.browser
      website/composition.browser website/filled-pages.browser website/forms.browser website/layout-comments.browser
      website/print.browser website/quality.browser website/xss.browser client/client.browser
      people/signin/agents/agent-signin.browser people/signin/agents/token.browser
      people/signin/people/answer.browser
      serving/downloads/file-reply.browser site/cards/long-words.browser
      site/guide-languages.browser site/layout/layout.docs.browser site/layout/header.browser
      site/library/files/files-view.folders.browser site/library/type/type-sheet.browser
      site/markdown/page-pictures.browser site/layout/cover.browser site/pages/logo-stage.browser
      site/pages/page-view.linked-targets.linked-words.browser
    `),
  },
  {
    why: 'git programs, their servers, and repositories',
    files: named(`
      publishing/review.authors publishing/git/pull/lfs-files publishing/git/edit/edits
      publishing/git/program/git-access publishing/git/repository/tree publishing/git/pull/pull-in-process
      program/cli/commands/write/init-lfs publishing/git/pull/pull.sources publishing/git/program/git-access.user-id
      publishing/plan.ended publishing/import/content-store.read-cache publishing/git/pull/pull.submodules
    `),
  },
  {
    why: 'stores that are damaged, locked, backed up or cleaned',
    files: named(`
      store/row-problems store/files/files store/upkeep/doctor store/shared-store.credentials store/store.earlier
      store/upkeep/restore store/committed-changes store/upkeep/gc store/database/damaged-row
      program/cli/failure.upkeep store/store store/database/database
    `),
  },
  {
    why: 'streams, connections and other services, each with a server of its own',
    files: named(`
      delivery/events/streams/streams delivery/api/token-endpoint platform/telemetry/open-tracing.serve
      platform/processes/sandbox adopt/web/read-website serving/publications/revisions
      delivery/events/webhooks/sender serving/downloads/project-archive.socket serving/downloads/verified-files
      people/signin/agents/server/provider.adapter people/signin/agents/connection/coverage.refused
      platform/telemetry/access-event serving/pointers/change-watcher.access program/cli/commands/serve/mcp
      serving/downloads/zip program/http/admission serving/access/limit/limit-with-fallback program/compose/lint
      program/http/plain/plain-connections people/signin/people/host-signin serving/downloads/project-archive
      platform/telemetry/log.terminal people/manage/mail/mail-sender program/http/server
      people/editor/edit/form-changes people/editor/edit/text-editor program/cli/run delivery/agents/tools/tools
      program/cli/commands/access/share program/cli/commands/access/signin run-tests
    `),
  },
  {
    why: 'examples of the documentation, and settings for other programs',
    files: named(`
      docs/agents docs/contributing deploy/monitoring deploy/kubernetes
    `),
  },
  {
    why: 'many files, pages or colours, or hostile ones',
    files: named(`
      delivery/lint/ooxml/package intake/markdown/markdown.website delivery/search/page-sections
      program/cli/output/output delivery/export/agents/skill delivery/export/style-tables
      delivery/export/agents/design-md site/library/files/files-view.folders delivery/lint/logos
      site/markdown/markdown.hostile site/thumbnails/thumbnails.hostile program/cli/failure
      delivery/lint/pdf/read-pdf delivery/lint/linter site/search/search
    `),
  },
  {
    why: 'the dearest of the rest',
    files: named(`
      program/cli/commands/export/command-formats program/cli/commands/publish/import program/cli/commands/serve/dev
      site/markdown/renderer program/cli/commands/export/command-formats.pdf program/http/node/read-request.read-body
      people/editor/edit/save.author people/editor/edit/visit.broken-guide people/editor/edit/edit-page people/editor/edit/edit-page.nodes people/editor/edit/history people/editor/edit/new-guide people/editor/edit/upload people/editor/edit/protected-fields people/editor/edit/save people/editor/edit/visit.forms people/editor/routes program/compose/load-code.serve program/compose/print-book publishing/git/follow/follow program/http/connections.drain
      program/cli/commands/publish/pull intake/media/media program/cli/commands/export/export
      people/manage/review-page.rights delivery/export/style-sheets/tailwind-theme formats/css/cascade delivery/agents/answer.conformance
      delivery/agents/answer.matrix delivery/export/dtcg delivery/search/indexer intake/brand-folder.moving
      platform/telemetry/log.serve program/cli/commands/serve/serve program/http/server.downloads
      platform/processes/pool publishing/git/edit/check publishing/git/edit/queue publishing/git/edit/save
      publishing/git/pull/pull serve site/thumbnails/thumbnailer store/lost-store
      program/compose/shared.serve site/any-origin site/guide-routes.drafts
      serving/access/limit/limit-with-fallback.serve serving/health/readiness.serve delivery/export/fonts/fonts-css
      delivery/lint/linter.exports store/content-lock.at-once program/http/service/routes.rights.matrix patterns
    `),
  },
]

function named(names: string): string[] {
  return names
    .trim()
    .split(/\s+/)
    .map(name => `${name}.slow.test.ts`)
}
