import type { MigrationStep } from '../database.ts'

export const createOAuth: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema.alterTable('api_keys').addColumn('client_id', text).execute()
  await schema.alterTable('api_keys').addColumn('client_name', text).execute()
  await schema.alterTable('api_keys').addColumn('client_host', text).execute()
  await schema.createIndex('api_keys_client').on('api_keys').column('client_id').execute()

  await schema
    .createTable('oauth_clients')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('redirect_uris', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('oauth_clients_age').on('oauth_clients').column('created_at').execute()

  await schema
    .createTable('oauth_codes')
    .addColumn('code_sha256', text, (c) => c.primaryKey().notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('client_name', text, (c) => c.notNull())
    .addColumn('client_host', text, (c) => c.notNull())
    .addColumn('redirect_uri', text, (c) => c.notNull())
    .addColumn('resource', text, (c) => c.notNull())
    .addColumn('challenge', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('person_id', text, (c) => c.notNull().references('people.id'))
    .addColumn('key_name', text, (c) => c.notNull())
    .addColumn('key_lifetime_ms', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer)
    .addColumn('key_id', text)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('oauth_codes_age').on('oauth_codes').column('expires_at').execute()
}
