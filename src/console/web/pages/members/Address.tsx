/** An email address in a column: cut where the column ends. */
export const Address = ({ email }: { email: string }) => (
  <div className="one-line" title={email}>
    {email}
  </div>
)
