import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import type { Channel } from './queries.ts'

const tones: Readonly<Record<Channel['callbacks']['state'], Tone>> = {
  none: 'warning',
  accepted: 'good',
  refused: 'bad',
}

/** How the last callback ended. */
export const CallbackBadge = ({ callbacks: { state } }: { callbacks: Pick<Channel['callbacks'], 'state'> }) => (
  <StatusBadge tone={tones[state]}>{texts.channels.callbackStates[state]}</StatusBadge>
)
