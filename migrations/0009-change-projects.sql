-- The project that has changed, so that it alone is read anew; null: anything of the workspace may have.
ALTER TABLE change ADD COLUMN project TEXT;
-- Whether that project was published or unpublished; null: neither.
ALTER TABLE change ADD COLUMN event TEXT;

-- What everyone may see, for the lists over all workspaces.
CREATE INDEX open_project ON project (workspace, id) WHERE published_visibility = 'public';
