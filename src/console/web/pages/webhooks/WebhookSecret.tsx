import type { ReactNode } from 'react'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'

/** A new secret of an endpoint. */
export const WebhookSecret = (props: { title: string; secret: string; onDone: () => void; children?: ReactNode }) => (
  <ShownOnce {...props} hint={words.secretHint} values={[[words.secret, props.secret]]} done={words.copied} />
)
