import { describe, expect, it } from 'vitest'
import { dependencyChanges, isManifest } from './dependency-changes.ts'

const changed = (patch: string) => dependencyChanges('m', patch).map(({ name, from, to }) => `${name} ${from} ${to}`)

describe('a patch of a manifest', () => {
  it.each([
    [
      'package.json',
      '@@ -1 +1 @@\n   "dependencies": {\n-    "pg": "^8.11.3",\n+    "pg": "^8.12.0",\n     "zod": "4.0.0"',
      ['pg 8.11.3 8.12.0'],
    ],
    [
      'package-lock.json',
      '@@ -1 +1 @@\n     "node_modules/@acme/pg": {\n-      "version": "8.11.3",\n+      "version": "8.12.0",\n-      "resolved": "https://x/pg-8.11.3.tgz",',
      ['@acme/pg 8.11.3 8.12.0'],
    ],
    [
      'yarn.lock',
      '@@ -1 +1 @@\n-pg@^8.11.3:\n-  version "8.11.3"\n+pg@^8.12.0:\n+  version "8.12.0"',
      ['pg 8.11.3 8.12.0'],
    ],
    ['pnpm-lock.yaml', '@@ -1 +1 @@\n-  pg@8.11.3:\n+  pg@8.12.0:\n     resolution: {}', ['pg 8.11.3 8.12.0']],
    ['requirements.txt', '@@ -1 +1 @@\n-psycopg2==2.9.5\n+psycopg2==2.9.9', ['psycopg2 2.9.5 2.9.9']],
    [
      'poetry.lock',
      '@@ -1 +1 @@\n [[package]]\n name = "psycopg2"\n-version = "2.9.5"\n+version = "2.9.9"',
      ['psycopg2 2.9.5 2.9.9'],
    ],
    [
      'go.mod',
      '@@ -1 +1 @@\n-\tgithub.com/lib/pq v1.10.0\n+\tgithub.com/lib/pq v1.10.9',
      ['github.com/lib/pq 1.10.0 1.10.9'],
    ],
    [
      'Cargo.toml',
      '@@ -1 +1 @@\n-tokio = { version = "1.30", features = [] }\n+tokio = { version = "1.40", features = [] }',
      ['tokio 1.30 1.40'],
    ],
    ['Gemfile.lock', '@@ -1 +1 @@\n-    pg (1.5.3)\n+    pg (1.5.6)', ['pg 1.5.3 1.5.6']],
    [
      'pom.xml',
      '@@ -1 +1 @@\n       <artifactId>postgresql</artifactId>\n-      <version>42.6.0</version>\n+      <version>42.7.1</version>',
      ['postgresql 42.6.0 42.7.1'],
    ],
    [
      'build.gradle',
      '@@ -1 +1 @@\n-    implementation "org.postgresql:postgresql:42.6.0"\n+    implementation "org.postgresql:postgresql:42.7.1"',
      ['org.postgresql:postgresql 42.6.0 42.7.1'],
    ],
    [
      'Shop.csproj',
      '@@ -1 +1 @@\n-    <PackageReference Include="Npgsql" Version="7.0.4" />\n+    <PackageReference Include="Npgsql" Version="8.0.1" />',
      ['Npgsql 7.0.4 8.0.1'],
    ],
  ])('tells the versions it changes: %s', (path, patch, expected) => {
    expect(isManifest(`services/a/${path}`)).toBe(true)
    expect(changed(patch)).toEqual(expected)
  })

  it('tells what came and what went, and nothing of lines that only moved', () => {
    expect(changed('@@ -1 +1 @@\n+    "left-pad": "1.3.0",')).toEqual(['left-pad null 1.3.0'])
    expect(changed('@@ -1 +1 @@\n-    "left-pad": "1.3.0"')).toEqual(['left-pad 1.3.0 null'])
    expect(changed('@@ -1 +1 @@\n-    "left-pad": "1.3.0"\n+    "left-pad": "1.3.0",')).toEqual([])
    expect(isManifest('src/package.ts')).toBe(false)
  })
})
