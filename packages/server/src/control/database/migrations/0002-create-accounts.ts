import type { MigrationStep } from '../database.ts'

export const createAccounts: MigrationStep = async ({ schema }, { text, integer, tableOptions }) => {
  await schema
    .createTable('people')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('email', text, (c) => c.notNull())
    .addColumn('email_key', text, (c) => c.notNull().unique())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('role', text, (c) => c.notNull())
    .addColumn('password_hash', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('sessions')
    .addColumn('token_sha256', text, (c) => c.primaryKey().notNull())
    .addColumn('person_id', text, (c) => c.notNull().references('people.id'))
    .addColumn('origin', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('seen_at', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('sessions_person').on('sessions').column('person_id').execute()
  await schema.createIndex('sessions_age').on('sessions').column('seen_at').execute()

  await schema
    .createTable('memberships')
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('person_id', text, (c) => c.notNull().references('people.id'))
    .addColumn('role', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['project_id', 'person_id'])
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('memberships_person').on('memberships').column('person_id').execute()

  await schema
    .createTable('invitations')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('email', text, (c) => c.notNull())
    .addColumn('email_key', text, (c) => c.notNull())
    .addColumn('role', text, (c) => c.notNull())
    .addColumn('token_sha256', text, (c) => c.notNull().unique())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('created_by', text, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addUniqueConstraint('invitations_email', ['project_id', 'email_key'])
    .modifyEnd(tableOptions)
    .execute()

  await schema
    .createTable('sign_in_failures')
    .addColumn('subject', text, (c) => c.primaryKey().notNull())
    .addColumn('failures', integer, (c) => c.notNull())
    .addColumn('since', integer, (c) => c.notNull())
    .addColumn('last_at', integer, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('sign_in_failures_age').on('sign_in_failures').column('last_at').execute()
}
