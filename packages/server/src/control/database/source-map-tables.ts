/** The tables of source maps. The rules for all tables are in schema.ts. */
export type SourceMapTables = {
  /** Releases with source maps. `used_at`: when a map was last sent for it, or an error of it last read by one. */
  source_map_releases: { project_id: string; release: string; used_at: number }
  /** Which map a generated file of a release has. Files of several releases that are alike share one. */
  source_maps: {
    project_id: string
    release: string
    file: string
    digest: string
    uploaded_at: number
    uploaded_by: string
  }
  /** By the digest of the map as it was sent. `bytes` is what its parts take here, `loaded_bytes` what it takes in memory. */
  source_map_contents: {
    project_id: string
    digest: string
    bytes: number
    loaded_bytes: number
    sources: number
    mappings: number
  }
  /** The map as it is looked up, compressed, as base64 in parts: only text and integers exist here. */
  source_map_parts: { project_id: string; digest: string; part: number; content: string }
}
