import { createHash } from 'node:crypto'
import pg from 'pg'

/** What is durable: keys, messages and the month's count, in PostgreSQL. */

const connectionsMax = 20
const uniqueViolation = '23505'

const tables = `
  CREATE TABLE IF NOT EXISTS api_keys (id text PRIMARY KEY, secret_hash text NOT NULL, workspace_id text NOT NULL,
    monthly_limit integer NOT NULL);
  CREATE TABLE IF NOT EXISTS plan_usage (workspace_id text, month text, used integer NOT NULL,
    PRIMARY KEY (workspace_id, month));
  CREATE TABLE IF NOT EXISTS messages (id uuid PRIMARY KEY, workspace_id text NOT NULL, idempotency_key text,
    recipient text NOT NULL, payload text NOT NULL, status text NOT NULL, platform_id text, error text,
    created_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz, UNIQUE (workspace_id, idempotency_key));
  CREATE INDEX IF NOT EXISTS messages_queued ON messages (created_at) WHERE status = 'QUEUED'`

/** Counts and stores in one statement: a key that is used already violates the constraint, and then nothing is counted. */
const accept = `
  WITH counted AS (
    INSERT INTO plan_usage (workspace_id, month, used) VALUES ($2, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 1)
    ON CONFLICT (workspace_id, month) DO UPDATE SET used = plan_usage.used + 1 WHERE plan_usage.used < $6 RETURNING used)
  INSERT INTO messages (id, workspace_id, idempotency_key, recipient, payload, status)
  SELECT $1, $2, $3, $4, $5, 'QUEUED' FROM counted`

const seen = 'id, recipient, payload, status, platform_id AS "platformId"'

const hashOf = secret => createHash('sha256').update(secret).digest('hex')

export async function openStore(url) {
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax })
  const query = (name, text, values) => pool.query({ name, text, values })
  await pool.query(tables)

  return {
    async addKey({ id, secret, workspaceId, monthlyLimit }) {
      const values = [id, hashOf(secret), workspaceId, monthlyLimit]
      await pool.query('INSERT INTO api_keys VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', values)
    },

    /** @returns the key's workspace and limit, or undefined when there is no such key, or its secret is another one */
    async findKey(id, secret) {
      const text = `SELECT workspace_id AS "workspaceId", monthly_limit AS "monthlyLimit" FROM api_keys
        WHERE id = $1 AND secret_hash = $2`
      const { rows } = await query('key', text, [id, hashOf(secret)])
      return rows[0]
    },

    /** @returns how the message was stored: it is new, or its key was used before, or the month is full */
    async accept({ workspaceId, monthlyLimit }, { id, idempotencyKey, recipient, payload }) {
      try {
        const values = [id, workspaceId, idempotencyKey, recipient, payload, monthlyLimit]
        const { rowCount } = await query('accept', accept, values)
        return { kind: rowCount === 1 ? 'new' : 'full' }
      } catch (error) {
        if (error.code !== uniqueViolation) throw error
        const text = `SELECT ${seen} FROM messages WHERE workspace_id = $1 AND idempotency_key = $2`
        const { rows } = await query('repeated', text, [workspaceId, idempotencyKey])
        return { kind: 'repeated', message: rows[0] }
      }
    },

    async settle(id, { status, platformId, error }) {
      const text = 'UPDATE messages SET status = $2, platform_id = $3, error = $4, ended_at = now() WHERE id = $1'
      await query('settle', text, [id, status, platformId, error])
    },

    async find(id) {
      const { rows } = await query('find', `SELECT ${seen} FROM messages WHERE id = $1`, [id])
      return rows[0]
    },

    /** What an earlier process has left behind. */
    async queued() {
      const { rows } = await pool.query(`SELECT ${seen} FROM messages WHERE status = 'QUEUED' ORDER BY created_at`)
      return rows
    },
  }
}
