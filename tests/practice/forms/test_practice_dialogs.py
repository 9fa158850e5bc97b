"""Drawers, wizards, confirmations, and what an action comes to."""

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def has_focus_inside(locator):
    return await locator.evaluate("(box) => box.contains(document.activeElement)")


async def test_a_drawer_keeps_the_keyboard_inside_and_escape_closes_it(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("parts")
    opener = visitor.button("Create part")
    await opener.click()
    drawer = page.get_by_role("dialog", name="Create part")
    await expect(drawer).to_have_class("drawer")
    assert (await drawer.bounding_box())["x"] > 700
    await expect(drawer.get_by_label("Name")).to_be_focused()
    await drawer.get_by_role("button", name="Create", exact=True).focus()
    await page.keyboard.press("Tab")
    await expect(drawer.get_by_role("button", name="Close")).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await expect(drawer.get_by_role("button", name="Create", exact=True)).to_be_focused()
    for _ in range(12):
        await page.keyboard.press("Tab")
        assert await has_focus_inside(drawer)
    assert await page.locator("#app").get_attribute("inert") is not None
    await page.keyboard.press("Escape")
    await expect(drawer).to_have_count(0)
    await expect(opener).to_be_focused()
    assert await page.locator("#app").get_attribute("inert") is None


async def test_a_part_is_made_and_changed_in_drawers(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("parts")
    await visitor.button("Create part").click()
    drawer = page.get_by_role("dialog", name="Create part")
    await expect(drawer).to_contain_text("Parts: 0 of 4 used")
    await drawer.get_by_label("Name").fill("bolt")
    await drawer.get_by_role("radio", name="Green").check()
    await drawer.get_by_label("Password").fill("a long word")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("Part bolt created")
    row = page.get_by_role("row", name="bolt")
    await expect(row).to_contain_text("Green")

    await row.get_by_role("button", name="Edit").click()
    drawer = page.get_by_role("dialog", name="Edit part")
    await expect(drawer).to_contain_text("The name stays as it is.")
    await expect(drawer.get_by_role("radio", name="Green")).to_be_checked()
    await expect(drawer.get_by_label("Password")).to_have_value("")
    await drawer.get_by_role("button", name="Save").click()
    await expect(drawer.get_by_role("alert")).to_have_text("Weight is required.")
    await drawer.get_by_label("Weight").fill("30")
    await drawer.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status").last).to_have_text("Part bolt saved")
    await expect(row).to_contain_text("30")
    events = visitor.api.get("/api/audit").json()["events"]
    (event,) = [event for event in events if event["name"] == "UpdatePart"]
    assert event["parameters"] == {"colour": "green", "weight": 30}  # no secret that was left alone


async def test_a_full_quota_is_told_in_the_form(visit):
    visitor = await visit()
    page = visitor.page
    for number in range(4):
        visitor.make("parts", name=f"part-{number}")
    await visitor.go("parts")
    await visitor.button("Create part").click()
    drawer = page.get_by_role("dialog")
    await expect(drawer).to_contain_text("Parts: 4 of 4 used")
    await drawer.get_by_label("Name").fill("bolt")
    await drawer.get_by_role("button", name="Create", exact=True).click()
    await expect(drawer.get_by_role("alert")).to_contain_text("The quota of Parts is used up")
    await drawer.get_by_role("button", name="Cancel").click()
    await expect(drawer).to_have_count(0)


async def test_who_may_not_is_told(visit):
    visitor = await visit(name="viewer")
    await visitor.go("parts")
    await visitor.button("Create part").click()
    drawer = visitor.page.get_by_role("dialog")
    await drawer.get_by_label("Name").fill("bolt")
    await drawer.get_by_role("button", name="Create", exact=True).click()
    await expect(drawer.get_by_role("alert")).to_have_text("The account viewer may only read.")


async def test_a_wizard_from_a_part_to_its_secret(visit):
    visitor = await visit()
    page = visitor.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.make("parts", name="nut")
    bolt = visitor.make("parts", name="bolt")
    await visitor.go("parts")
    row = page.get_by_role("row", name="bolt")
    await row.get_by_role("button", name="Build a machine").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Create machine")
    assert page.url.endswith(f"/console/workshop/machines/create?part={bolt['id']}")
    await expect(page.get_by_label("Part", exact=True)).to_have_value(bolt["id"])
    await visitor.button("Next").click()
    await expect(page.get_by_role("alert")).to_have_text("Name is required.")
    await page.get_by_label("Name").fill("mill")
    await page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="Summary")
    await expect(panel).to_contain_text("0.10 credits")
    await page.get_by_role("radio", name="Large").check()
    await page.get_by_label("Copies").fill("3")
    await expect(panel).to_contain_text("1.62 credits")
    await expect(panel).to_contain_text("Machines: 0 of 20 used")
    await visitor.button("Next").click()
    await expect(page.get_by_label("Password", exact=True)).to_be_hidden()
    await page.get_by_role("radio", name="A password").check()
    await page.get_by_label("Password", exact=True).fill("correct horse")
    await visitor.button("Back").click()
    await expect(page.get_by_label("Copies")).to_have_value("3")
    await visitor.button("Next").click()
    await visitor.button("Next").click()
    await expect(page.locator("dd")).to_have_text(
        ["mill", "bolt", "–", "Large", "3", "A password", "••••••••"]
    )
    await visitor.button("Create").click()

    dialog = page.get_by_role("dialog", name="Save this now")
    await expect(dialog.locator("dt")).to_have_text(["Key ID", "Secret key"])
    secret = await dialog.locator("dd code").nth(1).inner_text()
    await dialog.get_by_role("button", name="Copy Secret key").click()
    await expect(dialog.get_by_role("status")).to_have_text(["", "Copied"])
    assert await page.evaluate("navigator.clipboard.readText()") == secret
    assert await has_focus_inside(dialog)
    await dialog.get_by_role("button", name="I have saved it").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Machines")
    (machine,) = visitor.items("machines")
    assert machine["values"]["part"] == bolt["id"]
    assert machine["values"]["copies"] == 3
    assert secret not in str(machine)
    await page.reload()
    await expect(page.get_by_role("row", name="mill")).to_be_visible()
    assert secret not in await page.content()


async def test_the_address_fills_in_a_reference_and_what_it_lies_within(visit):
    visitor = await visit()
    page = visitor.page
    nut, bolt = (visitor.make("parts", name=name) for name in ("nut", "bolt"))
    lamp = visitor.make("gadgets", name="lamp", part=bolt["id"], colours=["red"])
    visitor.make("gadgets", name="lamp-2", part=nut["id"], colours=["red"])
    await visitor.go(f"machines/create?gadget={lamp['id']}")
    gadget = page.get_by_role("combobox", name="Gadget")
    await expect(page.get_by_label("Part", exact=True)).to_have_value(bolt["id"])
    await expect(gadget).to_have_value("lamp")
    await page.get_by_label("Part", exact=True).select_option("nut")
    await expect(gadget).to_have_value("")
    await gadget.click()
    await expect(page.get_by_role("listbox", name="Gadget").get_by_role("option")).to_have_text(
        ["lamp-2"]
    )
    await page.get_by_label("Part", exact=True).select_option("")
    await expect(gadget).to_be_disabled()


async def test_a_deletion_is_confirmed_by_name_and_by_tick(visit):
    visitor = await visit()
    page = visitor.page
    visitor.make("parts", name="bolt")
    await visitor.go("parts")
    await page.get_by_role("row", name="bolt").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete part")
    delete = dialog.get_by_role("button", name="Delete", exact=True)
    typed = dialog.get_by_label("To confirm, type bolt")
    tick = dialog.get_by_label("I know that it cannot come back")
    await expect(delete).to_be_disabled()
    await typed.fill("bolt")
    await expect(delete).to_be_disabled()
    await tick.check()
    await typed.fill("bol")
    await expect(delete).to_be_disabled()
    await typed.fill("bolt")
    await expect(delete).to_be_enabled()
    await tick.uncheck()
    await expect(delete).to_be_disabled()
    await tick.check()
    await delete.click()
    await expect(page.get_by_role("status")).to_have_text("Part bolt deleted")
    await expect(page.get_by_text("You have no parts yet.")).to_be_visible()
    assert visitor.items("parts") == []


async def test_a_row_that_could_not_be_deleted_comes_back(visit):
    visitor = await visit()
    page = visitor.page
    bolt = visitor.make("parts", name="bolt")
    visitor.make("machines", name="mill", part=bolt["id"])
    await visitor.go("parts")

    async def hold(route):
        if route.request.method == "DELETE":
            await expect(page.get_by_role("row", name="bolt")).to_have_count(0)
        await route.continue_()

    await page.route("**/api/workshop/parts/*", hold)
    await page.get_by_role("row", name="bolt").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox").fill("bolt")
    await dialog.get_by_role("checkbox").check()
    await dialog.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("bolt cannot be deleted")
    await expect(page.get_by_role("row", name="bolt")).to_be_visible()


async def test_a_batch_that_fails_in_part_says_how_much_and_why(visit):
    visitor = await visit()
    page = visitor.page
    _, nut, _ = (visitor.make("parts", name=name) for name in ("bolt", "nut", "spring"))
    await visitor.go("parts")
    await page.get_by_role("checkbox", name="Select all").check()
    path = f"/api/workshop/parts/{nut['id']}/lock"
    assert visitor.api.post(path, json={}).status_code == 200  # somebody else was quicker
    await page.get_by_role("toolbar").get_by_role("button", name="Lock").click()
    await expect(page.locator(".toast.success")).to_contain_text("Locked: spring, bolt")
    await expect(page.get_by_role("alert")).to_have_text(
        "1 of 3 failed. nut is Locked; that does not allow it."
    )
    assert {item["state"] for item in visitor.items("parts")} == {"locked"}


async def test_an_edited_row_changes_before_the_cloud_has_answered(visit):
    visitor = await visit()
    page = visitor.page
    bolt = visitor.make("parts", name="bolt", colour="red", weight=5)
    await visitor.go("parts")
    row = page.get_by_role("row", name="bolt")

    async def hold(route):
        await expect(row).to_contain_text("Blue")
        visitor.api.delete(f"/api/workshop/parts/{bolt['id']}")  # it is gone when the edit comes
        await route.continue_()

    await page.route("**/api/workshop/parts/*/edit", hold)
    await row.get_by_role("button", name="Edit").click()
    drawer = page.get_by_role("dialog")
    await drawer.get_by_role("radio", name="Blue").check()
    await drawer.get_by_role("button", name="Save").click()
    await expect(drawer).to_have_count(0)
    await expect(page.get_by_role("alert")).to_contain_text("There is no part")
    await expect(page.get_by_text("You have no parts yet.")).to_be_visible()


async def test_the_dialogs_speak_chinese(visit):
    visitor = await visit(locale="zh-CN")
    page = visitor.page
    visitor.make("parts", name="bolt")
    await visitor.go("parts")
    await page.get_by_role("row", name="bolt").get_by_role("button", name="更多").click()
    await page.get_by_role("menuitem", name="删除").click()
    dialog = page.get_by_role("dialog", name="删除零件")
    await dialog.get_by_label("请输入 bolt 以确认删除").fill("bolt")
    await expect(dialog.get_by_role("button", name="确认删除")).to_be_disabled()
    await dialog.get_by_label("我已知晓删除后无法恢复").check()
    await expect(dialog.get_by_role("button", name="确认删除")).to_be_enabled()
    await page.keyboard.press("Escape")
    await page.get_by_role("row", name="bolt").get_by_role("button", name="组装机器").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("创建机器")
    await page.get_by_label("名称", exact=True).fill("mill")
    for _ in range(3):
        await visitor.button("下一步").click()
    await expect(page.get_by_text("请确认以下配置")).to_be_visible()
    await visitor.button("立即创建").click()
    dialog = page.get_by_role("dialog", name="请立即保存")
    await expect(dialog.get_by_role("button", name="复制私有密钥")).to_be_visible()
    await dialog.get_by_role("button", name="我已保存").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("机器")
