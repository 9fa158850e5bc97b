-- Results of $runs nightly sweeps of $procedures procedures. Every second procedure has two
-- findings a run; every fourth run the console changes, and they are others.

INSERT INTO runs
SELECT format('run-{:04d}', r), 1, '0.1.0', 'c0ffee', $console, 'auto', $procedures::INTEGER,
    $first::TIMESTAMP + INTERVAL 1 DAY * r, $first::TIMESTAMP + INTERVAL 6 HOUR + INTERVAL 1 DAY * r,
    '{}'
FROM range($runs::BIGINT) _(r);

INSERT INTO documents
SELECT format('run-{:04d}', r), d, $folder || format('/product-{:02d}/guide-{:03d}.md', d // 20, d),
    sha256(format('{}', d))
FROM range($runs::BIGINT) _(r), range(($procedures // $per_document)::BIGINT) __(d)
ORDER BY r, d;

INSERT INTO procedures BY NAME
SELECT format('run-{:04d}', r) AS run_id,
    format('product-{:02d}/guide-{:03d}/create-a-resource-of-sort-{}-{}', d // 20, d, d,
        p % $per_document) AS id,
    p AS position, format('Create a resource of sort {}-{}', d, p % $per_document) AS title,
    [format('Guide {}', d), format('Create a resource of sort {}-{}', d, p % $per_document)]
        AS title_path,
    $folder || format('/product-{:02d}/guide-{:03d}.md', d // 20, d) AS document,
    3 + ($steps + 3) * (p % $per_document) AS line,
    4 + $steps + ($steps + 3) * (p % $per_document) AS end_line,
    CASE WHEN p % 2 = 0 THEN CASE WHEN p % 10 = 0 THEN 'broken' ELSE 'drifted' END
        WHEN (p + r) % 41 = 0 THEN 'blocked' WHEN (p + r) % 67 = 0 THEN 'undecided'
        ELSE 'verified' END AS verdict,
    {'reached': true, 'channels': [{'channel': 'ui', 'reached': true, 'reason': 'The row is there.'}]}
        AS goal,
    CASE WHEN p % 2 = 0 THEN 'diverged' ELSE 'as_written' END AS path, 'literal' AS decided_by,
    1 AS attempts,
    {'wall_s': 5.0 + (p * 7 + r) % 20, 'browser_s': 4.0, 'model_s': 0.0, 'model_calls': 0,
        'tokens': 0} AS cost,
    ['A virtual network exists.'] AS prerequisites,
    {'sha256': sha256(format('{} {}', r, p)), 'media_type': 'application/json', 'size': 12000}
        AS trajectory,
    $first::TIMESTAMP + INTERVAL 1 DAY * r + INTERVAL 6 SECOND * p AS saved_at
FROM (SELECT r, p, p // $per_document AS d
    FROM range($runs::BIGINT) _(r), range($procedures::BIGINT) __(p))
ORDER BY r, p;

INSERT INTO steps BY NAME
SELECT p.run_id, p.id AS procedure_id, s AS position, format('{}', s + 1) AS "index",
    p.line + 2 + s AS line,
    format('In section {}, click **Button {}**.', s // 5 + 1, s + 1) AS text,
    CASE WHEN s IN (3, 11) AND p.path = 'diverged' THEN 'diverged' ELSE 'as_written' END AS status,
    '' AS note,
    {'sha256': sha256(format('{} {} {}', p.run_id, p.position, s)), 'media_type': 'image/jpeg',
        'size': 40000} AS "before",
    {'sha256': sha256(format('{} {} {}', p.run_id, p.position, s + 1)), 'media_type': 'image/jpeg',
        'size': 40000} AS "after"
FROM procedures p, range($steps::BIGINT) _(s)
ORDER BY p.run_id, p.position, s;

INSERT INTO findings BY NAME
SELECT p.run_id, p.id AS procedure_id, f AS position,
    substr(sha256(format('{} {} {}', p.run_id, p.position, f)), 1, 12) AS id,
    substr(sha256(format('{} {} {}', p.position // 2 * 2, f, run.n // 4)), 1, 16) AS fingerprint,
    ['renamed_label', 'moved_control', 'missing_control', 'changed_option'][1 + p.position % 4] AS kind,
    ['breaks', 'misleads', 'cosmetic'][1 + p.position % 3] AS severity, 0.9 AS confidence,
    p.document, p.line + 5 + 8 * f AS line, 26 + f AS "column", p.line + 5 + 8 * f AS end_line,
    34 + 2 * f AS end_column, format('Button {}', 4 + 8 * f) AS quote,
    format('There is no button "Button {}"; there is "New {}".', 4 + 8 * f, f) AS shown,
    format('New {}', f) AS suggestion, format('{}', 4 + 8 * f) AS step
FROM procedures p JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM runs) run
    ON run.id = p.run_id, range(2) _(f)
WHERE p.path = 'diverged'
ORDER BY p.run_id, p.position, f;

INSERT INTO evidence BY NAME
SELECT f.run_id, f.procedure_id, f.position AS finding, e AS position,
    ['before', 'dom'][1 + e] AS kind, 'The toolbar' AS caption,
    CASE WHEN e = 0 THEN '' ELSE '<button>New</button>' END AS text,
    CASE WHEN e = 0 THEN {'sha256': sha256(f.id), 'media_type': 'image/jpeg', 'size': 40000} END
        AS artifact
FROM findings f, range(2) _(e)
ORDER BY f.run_id, f.procedure_id, f.position, e;

INSERT INTO sweeps BY NAME
SELECT id, console, 'done' AS state, 'Everything was verified.' AS why, '{}' AS request,
    started_at AS planned_at, ended_at
FROM runs;

INSERT INTO sweep_items BY NAME
SELECT p.run_id AS sweep_id, p.position, p.id, p.id AS procedure_id, '' AS locale, '' AS role,
    p.title, p.document, p.line, 'stale' AS reason, 'Verified eight days ago.' AS why,
    p.cost.wall_s AS estimate_s, sha256(p.id) AS text_hash, 'done' AS state, 1 AS attempts,
    0 AS deaths, '' AS note, p.run_id, p.saved_at AS changed_at
FROM procedures p
ORDER BY p.run_id, p.position;
