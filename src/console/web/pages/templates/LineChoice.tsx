import { NavLink, Paper } from '@mantine/core'
import { Link, Redirect } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Waiting } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { texts } from '../../texts/texts.ts'
import { listPath } from './paths.ts'
import { useTemplateLines } from './queries.ts'

const words = texts.templates

/** Redirects to the templates of the default or only line; if there is none, asks for a line. */
export function LineChoice() {
  const { id } = useWorkspace()
  const { data, error, refetch } = useTemplateLines()
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  const active = data.phoneNumbers.filter(line => line.active)
  const chosen = data.phoneNumbers.find(line => line.isDefault) ?? (active.length === 1 ? active[0] : undefined)
  if (chosen) return <Redirect to={listPath(id, chosen.id)} replace />
  return (
    <>
      <PageHeader title={words.title} description={words.chooseLine} />
      {data.phoneNumbers.length === 0 ? (
        <EmptyList title={words.noLines} hint={words.noLinesHint} />
      ) : (
        <Paper withBorder>
          {data.phoneNumbers.map(line => (
            <NavLink
              key={line.id}
              component={Link}
              href={listPath(id, line.id)}
              label={line.number}
              description={line.active ? line.id : `${line.id}, ${words.inactive}`}
            />
          ))}
        </Paper>
      )}
    </>
  )
}
