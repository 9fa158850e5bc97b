import json

from appliance.benchmark.truth import read_truth


def test_drift_is_drawn_into_a_folder_and_its_truth_can_be_read(appliance, folder):
    done = appliance("practice", "drift", "--seed", 5, "--size", 2, "--out", folder / "d", "--json")
    assert done.code == 0
    said = json.loads(done.out)
    truth = read_truth(folder / "d" / "drift-5.truth.yaml")
    needed = [one for one in truth.untruths if not one.is_optional]
    assert (said["untrue"], len(said["changes"])) == (len(needed), 2)
    assert (folder / "d" / "drift-5.yaml").is_file()


def test_a_pattern_without_documents_is_refused(appliance):
    done = appliance("bench", "drift", "--documents", "nothing*")
    assert done.code == 2
    assert "no bundled document is called 'nothing*'" in done.err


def test_one_file_is_verified_kept_and_taken_as_it_is_the_second_time(appliance, folder):
    words = ("bench", "drift", "--files", 1, "--size", 1, "--documents", "buckets.zh.md")
    words += ("--controls", 1, "--out", folder / "b", "--json")
    first = appliance(*words)
    assert first.code == 0, first.err
    figures = json.loads(first.out)["figures"]["all"]
    assert figures["drawn"] == 1
    assert "# Drift benchmark" in (folder / "b" / "report.md").read_text(encoding="utf-8")
    second = appliance(*words)
    assert "(kept)" in second.err
    assert json.loads(second.out)["files"] == json.loads(first.out)["files"]


def test_one_copy_with_an_untruth_is_verified_and_kept(appliance, folder):
    words = ("bench", "invented", "--size", 1, "--true", 1, "--out", folder / "i", "--json")
    first = appliance(*words)
    assert first.code == 0, first.err
    said = json.loads(first.out)
    assert said["figures"]["all"]["untruths"] == 1
    assert said["figures"]["all"]["confirmed"] == 0
    assert (said["true"]["procedures"], said["true"]["findings"]) == (1, 0)
    assert "# Invented untruths" in (folder / "i" / "report.md").read_text(encoding="utf-8")
    assert "(kept)" in appliance(*words).err
