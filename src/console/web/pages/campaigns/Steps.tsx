import { IconCheck } from '@tabler/icons-react'
import { campaigns as words } from '../../texts/en/campaigns.ts'

const { template, people, values, check } = words.steps
const names = [template, people, values, check]

/** What is to be done for a new campaign, and how far it is. @param props.at the step that comes now */
export const Steps = ({ at }: { at: number }) => (
  <ol className="plain-list steps" aria-label={words.stepsLabel}>
    {names.map((name, place) => (
      <li key={name} aria-current={place === at ? 'step' : undefined} data-done={place < at || undefined}>
        <span className="round" data-filled={place <= at || undefined} aria-hidden>
          {place < at ? <IconCheck size={14} /> : place + 1}
        </span>
        {name}
      </li>
    ))}
  </ol>
)
