/** Project of an external tracker, for selection. */
export interface TrackerProject {
  /** Null when the tracker does not report it. */
  readonly id: string | null;
  readonly name: string;
  readonly slug: string;
  readonly status: string | null;
  readonly organizationId: string | null;
  readonly organizationName: string;
  readonly organizationSlug: string;
}
