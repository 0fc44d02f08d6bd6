import type { dialect } from './postgres.ts'

/**
 * How an engine writes tables and columns, and which indexes it alone has. The tables are described once, by its means.
 * TypeScript reads the description in the types of PostgreSQL.
 *
 * Every `_at` is epoch milliseconds, every `_id` is text: the upstream's ids go beyond a safe integer.
 */
export type Dialect = typeof dialect
