"""What a form says: what is wrong, what it costs, what its fields are for."""

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_what_is_wrong_is_said_beside_the_fields(visit):
    visitor = await visit()
    page, field = visitor.page, visitor.field
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("Not Good")
    await page.get_by_label("Password").fill("short")
    await page.get_by_label("Weight", exact=True).fill("501")
    await page.get_by_role("spinbutton", name="Copies").fill("six")
    await page.get_by_label("Address range").fill("everywhere")
    await page.get_by_role("textbox", name="Delivery day").fill("2026-02-31")
    await page.get_by_role("combobox", name="Material").fill("paper")
    await page.get_by_role("switch", name="Backup").click()
    await visitor.button("Add tag").click()
    await page.get_by_label("Value", exact=True).fill("test")
    await page.get_by_role("textbox", name="Rules").fill("{\n  oops\n}")
    await page.keyboard.press("Tab")
    await expect(field("rules").get_by_role("alert")).to_have_text(
        "Rules is not valid JSON: line 2."
    )
    file = {"name": "plan.exe", "mimeType": "application/octet-stream", "buffer": b"no"}
    await page.get_by_label("Drawing").set_input_files(file)
    await expect(field("drawing").get_by_role("alert")).to_contain_text(".svg, .txt")
    await visitor.button("Create gadget").click()
    said = {
        "name": "Use lower-case letters, digits and hyphens.",
        "password": "Password must have 8 to 255 characters.",
        "weight": "Weight must be a whole number from 1 to 500.",
        "copies": "Copies must be a whole number from 1 to 5.",
        "range": "Address range must be an IPv4 range such as 10.0.0.0/16.",
        "day": "Delivery day must be a date",
        "material": "Material cannot be paper.",
        "colours": "Choose a value for Colours.",
        "backup_hour": "Backup time is required.",
        "tags": "Every tag needs a key.",
        "rules": "Rules is not valid JSON: line 2.",
        "drawing": ".svg, .txt",
    }
    for name, text in said.items():
        await expect(field(name).get_by_role("alert")).to_contain_text(text)
    await expect(page.get_by_role("alert")).to_have_count(len(said))
    await expect(page.get_by_label("Name", exact=True)).to_be_focused()
    assert await page.get_by_label("Name", exact=True).get_attribute("aria-invalid") == "true"
    await page.get_by_label("Name", exact=True).fill("good")
    await expect(page.get_by_role("alert")).to_have_count(len(said) - 1)
    await page.get_by_role("button", name="Decrease").click()
    await expect(page.get_by_role("alert")).to_have_count(len(said) - 2)
    assert visitor.items("gadgets") == []


async def test_what_the_cloud_refuses_is_said_beside_the_field(visit):
    visitor = await visit()
    page = visitor.page
    bolt = visitor.make("parts", name="bolt")
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("gadget")
    await page.get_by_role("checkbox", name="Red").check()
    await page.get_by_label("Main part").select_option("bolt")
    assert visitor.api.delete(f"/api/workshop/parts/{bolt['id']}").status_code == 204
    await visitor.button("Create gadget").click()
    await expect(visitor.field("part").get_by_role("alert")).to_have_text(
        "Main part does not exist."
    )
    await expect(page.get_by_label("Main part")).to_be_focused()


async def test_a_field_that_is_hidden_again_is_not_sent(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("gadgets/create")
    await page.get_by_label("Name", exact=True).fill("gadget")
    await page.get_by_role("checkbox", name="Red").check()
    hour = page.get_by_label("Backup time")
    await expect(hour).to_be_hidden()
    await page.get_by_role("switch", name="Backup").click()
    await hour.fill("04:00")
    await page.get_by_role("switch", name="Backup").click()
    await expect(hour).to_be_hidden()
    await page.get_by_role("textbox", name="Delivery day").fill("2027-01-05")
    await visitor.button("Create gadget").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Gadgets")
    (item,) = visitor.items("gadgets")
    values = item["values"]
    assert (values["backup"], values["backup_hour"]) == (False, "")
    assert values["day"] == "2027-01-05"


async def test_help_is_shown_to_the_pointer_and_to_the_keyboard(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.go("gadgets/create")
    tip = page.get_by_role("tooltip")
    icon = page.get_by_role("img", name="About Weight")
    await icon.hover()
    await expect(tip).to_have_text("Without the box.")
    await page.mouse.move(0, 0)
    await expect(tip).to_have_count(0)
    await icon.focus()
    await expect(icon).to_have_accessible_description("Without the box.")
    await page.keyboard.press("Escape")
    await expect(tip).to_have_count(0)


async def test_price_and_quota_stand_beside_the_form(visit):
    visitor = await visit()
    page = visitor.page
    visitor.make("gadgets", name="first", colours=["red"])
    await visitor.go("gadgets/create")
    panel = page.get_by_role("complementary", name="Summary")
    await expect(panel).to_contain_text("Gadgets: 1 of 20 used")

    async def costs(price):
        await expect(panel).to_contain_text(f"Estimated cost: {price} credits per hour")

    await costs("0.07")
    await page.get_by_label("Size").select_option("Large")
    await costs("0.17")
    await page.get_by_role("button", name="Increase").click()
    await costs("0.19")
    await page.get_by_role("checkbox", name="Red").check()
    await page.get_by_role("checkbox", name="Green").check()
    await costs("0.193")
    await page.get_by_role("switch", name="Backup").click()
    await costs("0.223")
