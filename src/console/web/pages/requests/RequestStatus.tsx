import { StatusBadge } from '../../components/StatusBadge.tsx'

/** How a call was answered: the status of HTTP. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'warning' : 'bad'
  return <StatusBadge tone={tone}>{String(status)}</StatusBadge>
}
