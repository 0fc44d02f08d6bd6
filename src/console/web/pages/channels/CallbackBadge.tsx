import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import type { ListedChannel } from './queries.ts'

const tones: Readonly<Record<ListedChannel['callbacks']['state'], Tone>> = {
  none: 'warning',
  accepted: 'good',
  refused: 'bad',
}

/** How the last callback ended. */
export const CallbackBadge = ({ callbacks: { state } }: { callbacks: Pick<ListedChannel['callbacks'], 'state'> }) => (
  <StatusBadge tone={tones[state]}>{texts.channels.callbackStates[state]}</StatusBadge>
)
