import { Skeleton, Stack, Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'
import { Isolated } from './Isolated.tsx'

export interface Column<Row> {
  readonly header: string
  readonly render: (row: Row) => ReactNode
  /** Right-aligned, for numbers. */
  readonly isNumber?: boolean
  /** What the number counts, behind it on a telephone, where no heading says so: `146 charged`. */
  readonly unit?: string
  /**
   * Where it stands in the two lines of a row on a telephone, which shows only such columns (dataTable.css): `more`
   * is a line of its own below them, `act` is for buttons. A tablet has room for one that stands `aside`.
   */
  readonly place?: 'who' | 'what' | 'how' | 'when' | 'more' | 'act' | 'aside'
  /** Hides the heading, for example for buttons; screen readers still read it. */
  readonly isUnnamed?: boolean
}

/** The last column, for the actions on a row. */
export const actionColumn = <Row,>(render: Column<Row>['render']): Column<Row> => ({
  header: texts.common.actions,
  isUnnamed: true,
  place: 'act',
  render,
})

export interface DataTableProps<Row> {
  /** Its name, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined
  readonly keyOf: (row: Row) => string
  /** The address of the row's own page: the first cell becomes the link, and a click anywhere in the row opens it. */
  readonly hrefOf?: (row: Row) => string | undefined
  /** Where they come from. */
  readonly query?: { readonly error: unknown; readonly refetch: () => unknown }
  /** Shown in place of a table without rows. */
  readonly empty: ReactNode
  /** While the rows are those of an earlier question. */
  readonly isStale?: boolean
}

/** The frame's header stays above what scrolls. */
const headerHeight = 'var(--app-shell-header-offset, 0px)'

const places = ['who', 'when', 'what', 'how', 'more'] as const

/** Columns that name no places have them in their order. */
const placed = <Row,>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.some(({ place }) => place && place !== 'act')
    ? columns
    : columns.map((column, at) => ({ ...column, place: column.place ?? places[at] }))

const skeletonRows = ['first', 'second', 'third', 'fourth', 'fifth']

/** A list. Its rows are walked with j and k or the arrows, and opened with Enter (keyboard.ts). */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, hrefOf, query, empty, isStale = false } = props
  const columns = placed(props.columns)
  if (query?.error && !rows) return <ErrorView error={query.error} onRetry={() => void query.refetch()} />
  if (!rows) {
    return (
      <Stack gap="xs" role="status" aria-label={texts.common.loading}>
        {skeletonRows.map(name => (
          <Skeleton key={name} h={36} />
        ))}
      </Stack>
    )
  }
  if (rows.length === 0) return empty
  return (
    <div className="list">
      <Table
        aria-label={label}
        aria-busy={isStale}
        className="data-table"
        highlightOnHover
        verticalSpacing="xs"
        stickyHeader
        stickyHeaderOffset={headerHeight}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, isNumber, isUnnamed, place }) => (
              <Table.Th key={header} scope="col" data-place={place} className={isNumber ? 'number' : undefined}>
                {isUnnamed ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Row key={keyOf(row)} row={row} columns={columns} href={hrefOf?.(row)} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Row<Row>({ row, columns, href }: { row: Row; columns: readonly Column<Row>[]; href: string | undefined }) {
  const [, navigate] = useLocation()
  const open = (event: React.MouseEvent) => {
    if (href === undefined || !(event.target instanceof Element)) return
    // The dialogs of a row stand elsewhere in the page, and React tells the row of their clicks too.
    if (!event.currentTarget.contains(event.target)) return
    // Clicks on controls, and selecting text, do not open the row.
    if (event.target.closest('a, button, input, label, [role="menu"]')) return
    if (!window.getSelection()?.isCollapsed) return
    navigate(href)
  }
  return (
    <Table.Tr className="data-row" data-link={href !== undefined || undefined} onClick={open}>
      {columns.map(({ header, render, isNumber, place, unit }, at) => (
        <Table.Td key={header} data-place={place} data-unit={unit} className={isNumber ? 'number' : undefined}>
          {at === 0 && href !== undefined ? (
            <Link href={href} className="row-link" data-row-link>
              <Isolated>{render(row)}</Isolated>
            </Link>
          ) : (
            <Isolated>{render(row)}</Isolated>
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}
