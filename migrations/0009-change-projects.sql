-- The changed project, so that only it is reloaded; null: anything in the workspace may have changed.
ALTER TABLE change ADD COLUMN project TEXT;
-- Whether that project was published or unpublished; null: neither.
ALTER TABLE change ADD COLUMN event TEXT;

-- Public projects, for lists over all workspaces.
CREATE INDEX open_project ON project (workspace, id) WHERE published_visibility = 'public';
