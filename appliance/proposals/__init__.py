"""Pull and merge requests with the suggested texts of a run, at GitHub, GitLab and Gitea."""
