/** What a gateway is started with. */
const { PORT, DATABASE_URL, REDIS_URL, PLATFORM_URL, API_KEY, API_SECRET, PER_SECOND, WAIT_MS } = process.env

export const settings = {
  port: Number(PORT),
  databaseUrl: DATABASE_URL,
  redisUrl: REDIS_URL,
  platformUrl: PLATFORM_URL,
  /** A limit that nobody reaches: it is counted, and looked at. */
  key: { id: API_KEY, secret: API_SECRET, workspaceId: 'ws_1', monthlyLimit: 1_000_000_000 },
  /** The pace of the line; null: none. */
  perSecond: PER_SECOND === undefined ? null : Number(PER_SECOND),
  waitMs: Number(WAIT_MS),
}
